"""A terminal with a program in it: a real pty, and pyte, which shows what the program has written
as a terminal would."""

from __future__ import annotations

import copy
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyte
from wcwidth import wcswidth

ROOT = Path(__file__).resolve().parent.parent.parent
FOB = os.environ.get("FOB", str(ROOT / ".build/debug/fob"))
# Ten times what the slowest machine needs.
PATIENCE = 60
ALTERNATE = 1049
# A row of a view: where it stands, that it is taken away first, its text.
ROW = re.compile(rb"\x1b\[(\d+);1H\x1b\[2K([^\x1b]*(?:\x1b\[\d*m[^\x1b]*)*)")
COLOUR = re.compile(rb"\x1b\[[1-9][0-9;]*m")


def wait(what: str, is_so: Callable[[], bool], meanwhile: Callable[[], object],
         shown: Callable[[], str] = str) -> None:
    """Fails with what is shown by then where it is not so in time."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        meanwhile()
        if time.monotonic() > end:
            raise AssertionError(f"in vain for {what}{shown()}")


class Screen(pyte.Screen):
    """pyte's, with the alternate screen that it does not know."""

    main: Any = None

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        if kwargs.get("private") and ALTERNATE in modes and self.main is None:
            self.main = (copy.deepcopy(self.buffer), copy.copy(self.cursor))
            self.erase_in_display(2)
        super().set_mode(*modes, **kwargs)

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and ALTERNATE in modes and self.main is not None:
            self.buffer, self.cursor = self.main
            self.main = None
            self.dirty.update(range(self.lines))


class Terminal:
    """A program in a terminal of its own, whose standard error is the terminal, too."""

    def __init__(self, folder: Path, *command: str, columns: int = 80, rows: int = 24,
                 output: Path | None = None, **environment: str) -> None:
        self.written = b""
        self.screen = Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.master, slave = pty.openpty()
        # Kept open: what a terminal is set to can be seen when the program has ended.
        self.slave = slave
        self._set_size(columns, rows)
        self.before = termios.tcgetattr(slave)
        variables = {
            **os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(folder / "state"),
            "XDG_RUNTIME_DIR": str(folder), "HISTFILE": "", "NO_COLOR": "",
            # What a crash writes before it ends takes a minute.
            "SWIFT_BACKTRACE": "enable=no", **environment}
        for name in [name for name, value in variables.items() if value == ""]:
            del variables[name]

        def own_terminal() -> None:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            signal.pthread_sigmask(signal.SIG_SETMASK, set())
            # As in a terminal, also where a shell started the tests in its background.
            for number in (signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)

        stdout: Any = open(output, "wb") if output else slave
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=stdout, stderr=slave, env=variables,
            preexec_fn=own_terminal)
        if output:
            stdout.close()

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def is_view(self) -> bool:
        return self.screen.main is not None

    def read(self, within: float) -> bool:
        """Takes in what the program has written; false where that was nothing."""
        if not select.select([self.master], [], [], within)[0]:
            return False
        taken = os.read(self.master, 1 << 16)
        self.written += taken
        self.stream.feed(taken)
        return True

    def until(self, what: str, is_so: Callable[[], bool]) -> None:
        wait(what, is_so, lambda: self.read(0.05), lambda: f":\n{self.text}")

    def until_text(self, words: str) -> None:
        self.until(words, lambda: words in self.text)

    def ended(self) -> int:
        """How the program ends, with all that it has written taken in."""
        self.until("its end", lambda: self.process.poll() is not None)
        while self.read(0):
            pass
        return self.process.returncode

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)


class TerminalTestCase(unittest.TestCase):
    """Tests with terminals, in a folder of their own."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def terminal(self, *command: str, **options: Any) -> Terminal:
        terminal = Terminal(self.folder, *command, **options)
        self.addCleanup(terminal.close)
        return terminal

    def run_fob(self, *arguments: str, **options: Any) -> Terminal:
        """`fob run`, linked and shown."""
        terminal = self.terminal(
            FOB, "run", "--listen", "127.0.0.1:0", *arguments, **options)
        terminal.until_text("link ")
        return terminal

    def until_file(self, what: str, is_so: Callable[[], bool]) -> None:
        wait(what, is_so, lambda: select.select([], [], [], 0.05))

    def assert_rows_fit(self, terminal: Terminal, columns: int, rows: int) -> None:
        """By another's measure of columns, and whatever a terminal would make of what is too
        long."""
        written = ROW.findall(terminal.written)
        self.assertTrue(written)
        for number, row in written:
            text = re.sub(rb"\x1b\[\d*m", b"", row).decode()
            self.assertLessEqual(int(number), rows)
            self.assertTrue(0 <= wcswidth(text) <= columns, repr(text))

    def assert_restored(self, terminal: Terminal) -> None:
        self.assertFalse(terminal.is_view, terminal.text)
        self.assertFalse(terminal.screen.cursor.hidden)
        self.assertIn(pyte.modes.DECAWM, terminal.screen.mode)
        self.assertEqual(termios.tcgetattr(terminal.slave), terminal.before)
