"""A fob as a process of its own, which says by a descriptor when it is ready."""
import json
import os
import pathlib
import select
import subprocess
import typing

from .errors import ProcessFailed

# Ten times what the slowest machine needs, in seconds.
PATIENCE = 60.0


class Process:
    """One command of fob, with its output in FOLDER/NAME.log; piped: but for what it prints as
    its result, which `output` reads.

    It is in a session of its own: Ctrl-C in a terminal does not reach it, so that whoever started
    it can still ask it before it ends.
    """

    def __init__(self, folder: pathlib.Path, name: str, program: str,
                 words: typing.Sequence[str], piped: bool = False) -> None:
        self.name, self.words = name, [program, *words]
        self._piped = piped
        self.log = folder / f"{name}.log"
        self._folder = folder
        self._process: typing.Optional["subprocess.Popen[bytes]"] = None

    @property
    def pid(self) -> typing.Optional[int]:
        """Its process id while it lives."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    @property
    def output(self) -> typing.IO[bytes]:
        """What it prints, where that is piped."""
        if self._process is None or self._process.stdout is None:
            raise ProcessFailed(f"{self.name} is not piped, or was never started")
        return self._process.stdout

    def start(self, within: float = PATIENCE) -> None:
        """Returns once it is ready. Raises ProcessFailed if it ends first, or is not in time."""
        reading, writing = os.pipe()
        try:
            with self.log.open("ab") as log:
                try:
                    self._process = subprocess.Popen(
                        [*self.words, "--ready-fd", str(writing)], pass_fds=[writing],
                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if self._piped else log,
                        stderr=log, start_new_session=True, env=self._environment())
                except OSError as error:
                    raise ProcessFailed(
                        f"cannot start {self.words[0]}: {error.strerror}: put fob on the PATH, or "
                        "name it by FOB") from error
                finally:
                    os.close(writing)
            # Not select(2), which knows descriptors below 1024 alone.
            waiting = select.poll()
            waiting.register(reading, select.POLLIN)
            if not waiting.poll(within * 1000):
                self.kill()
                raise ProcessFailed(f"{self.name} is not ready within {within} s{self.tail()}")
            if not os.read(reading, 64):
                self.kill()
                raise ProcessFailed(f"{self.name} ended before it was ready{self.tail()}")
        except BaseException:
            self.kill()
            raise
        finally:
            os.close(reading)

    def said(self, kind: str) -> typing.Dict[str, typing.Any]:
        """The first JSON line of that type."""
        for line in self.log.read_text("utf-8", "replace").splitlines():
            if line.startswith("{"):
                found: typing.Dict[str, typing.Any] = json.loads(line)
                if found.get("type") == kind:
                    return found
        raise ProcessFailed(f"{self.name} has not said {kind}{self.tail()}")

    def tail(self, lines: int = 20) -> str:
        """Its last lines, for an error."""
        try:
            text = self.log.read_text("utf-8", "replace")
        except OSError:
            return ""
        last = text.splitlines()[-lines:]
        return ":\n" + "\n".join(last) if last else ", and has said nothing"

    def stop(self, within: float = 10.0) -> typing.Optional[int]:
        """Asks it to end, kills it if it does not, and returns its exit code; may be repeated.

        None where it was never started, or had to be killed.
        """
        if self._process is None:
            return None
        if self._process.poll() is None:
            # Not SIGINT, which a background job of a shell has ignored.
            self._process.terminate()
            try:
                self._process.wait(within)
            except subprocess.TimeoutExpired:
                self.kill()
                return None
        return self._process.returncode

    def kill(self) -> None:
        """As a power cut: nothing is said, nothing is tidied up; may be repeated."""
        if self._process is not None:
            if self._process.poll() is None:
                self._process.kill()
            self._process.wait()

    def _environment(self) -> typing.Dict[str, str]:
        return dict(os.environ, XDG_RUNTIME_DIR=str(self._folder),
                    XDG_STATE_HOME=str(self._folder), NO_COLOR="1")
