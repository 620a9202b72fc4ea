"""The frames of a keychain's line as labgrid's console."""
import pathlib
import shutil
import tempfile
import threading
import typing

import attr
from labgrid.driver.common import Driver
from labgrid.driver.consoleexpectmixin import ConsoleExpectMixin
from labgrid.factory import target_factory
from labgrid.protocol import ConsoleProtocol
from pexpect import TIMEOUT

from ..errors import ProcessFailed, Unsupported
from ..guard import Guard
from ..process import Process
from .drivers import FobKeychainDriver

# Bytes that wait to be read; of more the oldest whole lines are dropped, and the log says so.
KEPT = 16 * 1024 * 1024


@target_factory.reg_driver
@attr.s(eq=False)
class FobFramesDriver(ConsoleExpectMixin, Driver, ConsoleProtocol):
    """Each frame decoded as one line of JSON, as fob monitor --json prints it: expect('"EVENT"').

    What it reads is what comes while it is active. A line carries frames, not characters: nothing
    can be written. Of an emulated keychain it listens beside the host. A real keychain's line it
    opens itself, and alone: then no bridge has it meanwhile, and nobody acks.
    """

    bindings = {"driver": FobKeychainDriver}
    txdelay = attr.ib(default=0.0, init=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self._news = threading.Condition()
        self._unread = bytearray()
        self._has_ended = False
        self._process: typing.Optional[Process] = None

    def on_activate(self) -> None:
        self._unread.clear()
        self._has_ended = False
        folder = pathlib.Path(tempfile.mkdtemp(prefix="fob-"))
        self._guard = Guard(folder)
        socket = self.driver.control_path
        source = ["--device", self.driver.line] if socket is None else ["--socket", str(socket)]
        self._folder = folder
        self._process = Process(folder, "monitor", self.driver.program,
                                ["monitor", *source, "--json"], piped=True)
        try:
            self._process.start()
            self._guard.watch(self._process.pid)
            self._thread = threading.Thread(target=self._listen, args=[self._process.output],
                                            name="fob-frames", daemon=True)
            self._thread.start()
        except BaseException:
            self._end()
            raise

    def on_deactivate(self) -> None:
        self._end()
        self._thread.join()

    def _end(self) -> None:
        if self._process is not None:
            self._process.stop()
            self._process = None
        shutil.rmtree(self._folder, ignore_errors=True)
        self._guard.done()

    def _listen(self, output: typing.IO[bytes]) -> None:
        with output:
            for line in output:
                with self._news:
                    self._unread += line
                    if len(self._unread) > KEPT:
                        self.logger.warning("frames are dropped: nobody has read them")
                        del self._unread[:self._unread.index(b"\n", KEPT // 2) + 1]
                    self._news.notify_all()
        with self._news:
            self._has_ended = True
            self._news.notify_all()

    def _read(self, size: int = 1, timeout: float = 0.0,
              max_size: typing.Optional[int] = None) -> bytes:
        """What has come, at most max_size bytes of it. Raises TIMEOUT, as labgrid's consoles do."""
        with self._news:
            self._news.wait_for(lambda: self._unread or self._has_ended, timeout)
            data = bytes(self._unread[:max_size or None])
            del self._unread[:len(data)]
        if not data and self._has_ended:
            why = self._process.tail() if self._process else ""
            raise ProcessFailed(f"the line is listened to no more{why}")
        if not data:
            raise TIMEOUT(f"no frame within {timeout:.2f} s")
        return data

    def _write(self, data: bytes) -> int:
        raise Unsupported("write: a keychain's line carries frames, not characters; ask its host")
