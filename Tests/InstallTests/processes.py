"""Programs that run beside a test, and waiting for what they do."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

# Ten times what the slowest machine needs.
PATIENCE = 60

Found = TypeVar("Found")

# Neither a test's requests nor what it starts goes by a proxy.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def awaited(what: str, found: Callable[[], Found | None]) -> Found:
    """What is found as soon as it is; an error while it is looked for means not yet."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            answer = found()
        except (OSError, KeyError, IndexError) as error:
            answer, reason = None, repr(error)
        else:
            reason = repr(answer)
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"in vain for {what}: {reason}")
        time.sleep(0.05)


def fetched(url: str, token: str | None = None) -> str:
    request = urllib.request.Request(url)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    with _opener.open(request, timeout=10) as answer:
        text: str = answer.read().decode()
    return text


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


class Running:
    """A program until it is ended, with what it says in a file of the folder."""

    def __init__(self, folder: Path, name: str, *command: str | Path,
                 environment: Mapping[str, str] | None = None) -> None:
        self.log = folder / f"{name}.log"
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env={**os.environ, **(environment or {})},
                preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, set()))

    @property
    def said(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def until(self, words: str) -> None:
        def found() -> bool:
            if self.process.poll() is not None and words not in self.said:
                raise AssertionError(f"{self.log.stem} ended without {words}:\n{self.said}")
            return words in self.said
        awaited(f"{words} of {self.log.stem}", found)

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
