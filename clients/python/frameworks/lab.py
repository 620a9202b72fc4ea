"""A lab of one host: labgrid's coordinator, an exporter of keychains, and clients of them."""
import os
import pathlib
import socket
import subprocess
import sys
import threading
import typing

import pytest

import fob

FOLDER = pathlib.Path(__file__).resolve().parent.parent
PATIENCE = 60.0


def environment(**more: str) -> typing.Dict[str, str]:
    return dict(os.environ, PYTHONPATH=str(FOLDER / "src"), PYTHONDONTWRITEBYTECODE="1",
                PYTHONUNBUFFERED="1", **more)


class Daemon:
    """A process whose lines are heard; it ends with the `with`."""

    def __init__(self, words: typing.Sequence[str], at: pathlib.Path,
                 variables: typing.Dict[str, str]) -> None:
        self._lines: typing.List[str] = []
        self._news = threading.Condition()
        self._has_ended = False
        self._process = subprocess.Popen(
            words, cwd=at, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def __enter__(self) -> "Daemon":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self.join()

    def kill(self) -> None:
        self._process.kill()
        self.join()

    def join(self) -> None:
        self._process.wait(PATIENCE)
        self._thread.join(PATIENCE)

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def until(self, text: str) -> str:
        """The first line with this text that was not heard before."""
        with self._news:
            while True:
                found = self._news.wait_for(
                    lambda: self._has_ended or any(text in line for line in self._lines), PATIENCE)
                for place, line in enumerate(self._lines):
                    if text in line:
                        del self._lines[:place + 1]
                        return line
                assert found and not self._has_ended, f"in vain for {text!r}: {self._lines}"

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                with self._news:
                    self._lines.append(line.rstrip("\n"))
                    self._news.notify_all()
        with self._news:
            self._has_ended = True
            self._news.notify_all()


def script(name: str) -> str:
    """A program of labgrid's, beside this Python."""
    return str(pathlib.Path(sys.executable).parent / name)


class Lab:
    """The coordinator, and what its clients are told by the environment."""

    def __init__(self, folder: pathlib.Path) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{taken.getsockname()[1]}"
        self.folder = folder
        self._places: typing.Set[str] = set()
        self.variables = environment(
            LG_COORDINATOR=self.address, TMPDIR=str(folder), LG_USERNAME="tester")
        self._coordinator = Daemon(
            [script("labgrid-coordinator"), "--listen", self.address], folder, self.variables)

    def __enter__(self) -> "Lab":
        self._coordinator.until("Coordinator ready")
        return self

    def __exit__(self, *_: object) -> None:
        self._coordinator.__exit__()

    def exporter(self, resources: str, name: str = "bench", **more: str) -> Daemon:
        """One that has told the coordinator what it has."""
        path = self.folder / f"{name}.exporter.yaml"
        path.write_text(resources, "utf-8")
        daemon = Daemon(
            [sys.executable, "-m", "fob.labgrid", "--name", name, "--hostname", "127.0.0.1",
             str(path)], self.folder, {**self.variables, **more})
        daemon.until("creating poll task")
        return daemon

    def client(self, *words: str, fails: bool = False) -> str:
        ran = subprocess.run([script("labgrid-client"), *words], cwd=self.folder,
                             env=self.variables, capture_output=True, text=True, timeout=PATIENCE)
        assert (ran.returncode != 0) == fails, ran.stdout + ran.stderr
        return ran.stdout + ran.stderr

    def script(self, text: str, env: str, **more: str) -> Daemon:
        """A program of a client, whose first argument is the environment."""
        return Daemon(
            [sys.executable, "-c", text, env], self.folder, {**self.variables, **more})

    def acquire(self, place: str, match: str) -> None:
        """match: of the place, when it is acquired for the first time."""
        if place not in self._places:
            self.client("-p", place, "create")
            self.client("-p", place, "add-match", match)
            self._places.add(place)
        self.client("-p", place, "acquire")


def expect_end(events: fob.Subscription) -> None:
    """The keychain ends, which closes its stream; nothing else would."""
    with pytest.raises(fob.ConnectionCut):
        while True:
            events.next(PATIENCE)


def environment_file(folder: pathlib.Path, resources: str) -> pathlib.Path:
    """An environment of labgrid with every driver of keychains."""
    path = folder / "env.yaml"
    path.write_text(f"""targets:
  main:
    resources:
{resources}
    drivers:
      FobKeychainDriver: {{}}
      FobButtonDriver: {{}}
      FobPowerDriver: {{}}
      FobFramesDriver: {{}}
imports:
- fob.labgrid
""", "utf-8")
    return path
