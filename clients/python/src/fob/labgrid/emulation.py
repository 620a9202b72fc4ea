"""An emulated keychain of this process, or one that runs."""
import os
import pathlib
import shutil
import tempfile
import typing

from ..control import Control
from ..guard import Guard
from ..process import Process
from .resources import FobEmulatedKeychain


class Emulation:
    """An emulated keychain in a folder of its own below TMPDIR, which goes with it: at close, and
    where Python is killed. Raises ProcessFailed where it does not start."""

    def __init__(self, resource: FobEmulatedKeychain, program: str) -> None:
        self._folder = folder = pathlib.Path(tempfile.mkdtemp(prefix="fob-"))
        self._guard = Guard(folder)
        self.control, self.line = folder / "keychain.sock", f"unix:{folder}/line"
        words = ["emulate", "--on", self.line, "--control", str(self.control), "--board",
                 resource.board, "--battery", str(resource.battery)]
        words += ["--gps", resource.gps] if resource.gps is not None else []
        self._process = Process(folder, "keychain", os.path.expanduser(program), words)
        try:
            self._process.start()
            self._guard.watch(self._process.pid)
        except BaseException:
            self.close()
            raise

    @property
    def has_ended(self) -> bool:
        return self._process.pid is None

    def close(self) -> None:
        """Ends it; may be repeated."""
        self._process.stop()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._guard.done()


def program(named: typing.Optional[str], tool: str = "fob") -> str:
    """fob: as a resource names it, as `tools` of the environment does, $FOB, or on the PATH."""
    return named or (tool if tool != "fob" else os.environ.get("FOB", "fob"))


def line_of(resource: FobEmulatedKeychain) -> str:
    """The line of a keychain that runs: as it is named, or as the keychain says."""
    return str(resource.line or Control(str(resource.control)).ask("state")["link"])
