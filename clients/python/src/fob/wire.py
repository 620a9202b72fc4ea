"""What went over the line, as a capture."""
import json
import os
import pathlib
import shutil
import subprocess
import typing

from .errors import ProcessFailed
from .process import Process

Frame = typing.Dict[str, typing.Any]


class Wire:
    """A pcapng capture of the line, complete after each frame (link type USER0, 147)."""

    def __init__(self, program: str, path: pathlib.Path, process: Process) -> None:
        self.path, self._program, self._process = path, program, process

    @property
    def frames(self) -> typing.List[Frame]:
        """Each frame until now, decoded, as fob monitor --json has it.

        The capture is a moment behind the line. Raises ProcessFailed where it cannot be read.
        """
        read = subprocess.run(
            [self._program, "monitor", "--read", str(self.path), "--json"], check=False,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
            env=dict(os.environ, NO_COLOR="1"))
        if read.returncode != 0:
            raise ProcessFailed(f"the capture: {read.stderr.decode(errors='replace').strip()}")
        rows: typing.List[Frame] = [json.loads(line) for line in read.stdout.splitlines()]
        return [row for row in rows if row.get("kind") == "frame"]

    def save(self, path: typing.Union[str, "os.PathLike[str]"]) -> None:
        """Copies the capture, for Wireshark and fob monitor --read."""
        shutil.copyfile(self.path, path)

    def close(self) -> None:
        """Ends the capture, which is whole then; may be repeated."""
        self._process.stop()
