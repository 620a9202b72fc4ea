"""A keychain, a bridge and a core as processes of their own, for one test or many."""
import os
import pathlib
import shutil
import signal
import tempfile
import traceback
import types
import typing

from .alarm import Alarm
from .client import Client
from .control import Control
from .errors import FobError, ProcessFailed
from .guard import Guard
from .keychain import IN_QEMU, Keychain
from .process import Process
from .report import collect
from .wire import Wire

# Bytes that the name of a socket may have (unix(7)), without the zero at its end.
SOCKET_LIMIT = 107


class Bench:
    """An emulated keychain and a bridge with an alert core that has found it.

        with Bench(artifacts="artifacts") as bench:
            bench.keychain.press()
            bench.alarm.until("EMERGENCY_SENT")

    Nobody is told: messages go to a file. All of it lives in a folder of its own below TMPDIR,
    which is removed at the end, as all processes are ended: after an exception and after Ctrl-C,
    too. Where Python is killed, a shell that waits for that does it.

    program: fob; $FOB or `fob` on the PATH where it is not named. device: `emulated`, `lm3s6965evb`
    or `microbit` (the firmware of that board in QEMU), or the line of a keychain of yours, as in
    tty:1209:0001 or serial:/dev/ttyUSB0?baud=115200. pin: four digits. profile: literal or guarded.
    countdown: seconds between a press and the first message. battery: per cent. gps: what the
    receiver hears. capture: whether the line is captured. artifacts: the folder into which an
    exception in the block collects logs, capture and a JUnit test case. name: of the test.

    start and close are for one thread; the keychain, the alarm and the client are for any.
    """

    def __init__(self, *, program: typing.Optional[str] = None, device: str = "emulated",
                 pin: str = "2468", profile: str = "literal", countdown: int = 0,
                 battery: int = 87, gps: typing.Optional[str] = None, capture: bool = True,
                 artifacts: typing.Union[str, "os.PathLike[str]", None] = None,
                 name: str = "bench") -> None:
        self.program = os.path.expanduser(program or os.environ.get("FOB", "fob"))
        self.device, self.pin, self.name = device, pin, name
        self.artifacts = pathlib.Path(artifacts) if artifacts is not None else None
        self.collected: typing.Optional[pathlib.Path] = None
        # What a report says of the test, such as a latency.
        self.properties: typing.Dict[str, object] = {}
        self.processes: typing.List[Process] = []
        self._profile, self._countdown = profile, countdown
        self._battery, self._gps, self._capture = battery, gps, capture
        self._folder: typing.Optional[pathlib.Path] = None
        self._guard: typing.Optional[Guard] = None
        self._keychain: typing.Optional[Keychain] = None
        self._alarm: typing.Optional[Alarm] = None
        self._wire: typing.Optional[Wire] = None
        self._client: typing.Optional[Client] = None
        self._bridge: typing.Optional[Process] = None

    def __enter__(self) -> "Bench":
        self.start()
        return self

    def __exit__(self, kind: typing.Optional[typing.Type[BaseException]],
                 error: typing.Optional[BaseException],
                 trace: typing.Optional[types.TracebackType]) -> None:
        try:
            if error is not None and self.artifacts is not None:
                self.collect("".join(traceback.format_exception(kind, error, trace)))
        finally:
            self.close()

    def start(self) -> None:
        """Returns once the keychain is linked to the core. Raises ProcessFailed or TimedOut."""
        self._folder = folder = pathlib.Path(tempfile.mkdtemp(prefix="fob-"))
        try:
            self._guard = Guard(folder)
            if len(os.fsencode(folder / "keychain.sock")) > SOCKET_LIMIT:
                raise FobError(
                    f"{folder}: the name of a socket has at most {SOCKET_LIMIT} bytes: set TMPDIR "
                    "to a folder with a shorter name")
            self._start_keychain(folder)
            self._start_bridge(folder)
            self.alarm.until_linked(within=60.0)
        except BaseException:
            self.close()
            raise

    @property
    def folder(self) -> pathlib.Path:
        """Where all of it lives; removed at the end."""
        return there(self._folder)

    @property
    def keychain(self) -> Keychain:
        """The keychain and its hands."""
        return there(self._keychain)

    @property
    def alarm(self) -> Alarm:
        """The core."""
        return there(self._alarm)

    @property
    def wire(self) -> Wire:
        """What went over the line."""
        return there(self._wire)

    @property
    def api(self) -> Client:
        """The HTTP API, with an administrator's token."""
        if self._client is None:
            self._client = Client(self.url, self.token)
        return self._client

    @property
    def url(self) -> str:
        """Where page and API are served, on this host alone."""
        return str(there(self._bridge).said("listening")["listening"])

    @property
    def token(self) -> str:
        """The administrator's token."""
        return (self.folder / "state" / "admin-token").read_text("ascii").strip()

    @property
    def has_alarm(self) -> bool:
        return self._alarm is not None

    @property
    def has_wire(self) -> bool:
        return self._wire is not None

    def restart_bridge(self) -> None:
        """Kills the bridge and its core with SIGKILL, and starts them on the same state; returns
        once the keychain is linked again. alarm, api, wire and url are new ones then; log and
        capture of the run before are kept as bridge-before.log and wire-before.pcapng."""
        there(self._bridge).kill()
        self._forget_bridge()
        self._start_bridge(self.folder)
        self.alarm.until_linked(within=60.0)

    def calm(self, within: float = 10.0) -> None:
        """Ends what a test has left: faults, a stuck or held button, a pulled plug, an alarm; so
        that the next test may have this bench. Battery, GPS and clock stay as they are."""
        if self.keychain.control is not None:
            self.keychain.calm(within)
        self.alarm.calm(within)

    def collect(self, failure: typing.Optional[str] = None,
                folder: typing.Union[str, "os.PathLike[str]", None] = None) -> pathlib.Path:
        """Writes logs, capture and a JUnit test case into FOLDER/NAME, and returns that. It ends
        the capture. failure: what the test case says; None: it has passed."""
        into = pathlib.Path(folder) if folder is not None else self.artifacts
        self.collected = collect(self, into or pathlib.Path("artifacts"), self.name, failure)
        return self.collected

    def snapshot(self) -> typing.Dict[str, typing.Any]:
        """Keychain and core as they stand, where they still answer."""
        found: typing.Dict[str, typing.Any] = {}
        for name in ("keychain", "alarm"):
            try:
                found[name] = self.keychain.state if name == "keychain" else self.alarm.status
            except FobError as error:
                found[name] = {"error": str(error)}
        return found

    def tail(self) -> str:
        """The last lines of every log."""
        return "\n".join(f"--- {process.name}{process.tail()}" for process in self.processes)

    def close(self) -> None:
        """Ends all processes and removes the folder; may be repeated. Ctrl-C meanwhile comes when
        it is done."""
        held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._forget_bridge()
            for process in reversed(self.processes):
                process.stop()
            self._keychain = None
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
            if self._guard is not None:
                self._guard.done()
                self._guard = None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)

    def _start_keychain(self, folder: pathlib.Path) -> None:
        if self.device != "emulated" and self.device not in IN_QEMU:
            self._keychain = Keychain(None, self.device, "other")
            return
        line, path = f"pty:{folder}/line", folder / "keychain.sock"
        words = ["emulate", "--on", line, "--control", str(path), "--battery", str(self._battery)]
        words += ["--gps", self._gps] if self._gps is not None else []
        words += ["--board", self.device] if self.device in IN_QEMU else []
        self._run("keychain", words)
        self._keychain = Keychain(Control(path), line, self.device)

    def _start_bridge(self, folder: pathlib.Path) -> None:
        pin, path = folder / "pin", folder / "bridge.sock"
        if not pin.exists():
            # What stands in a command line, others can read.
            descriptor = os.open(pin, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="ascii") as file:
                file.write(self.pin + "\n")
        log = folder / "bridge.log"
        if log.exists():
            log.replace(folder / "bridge-before.log")
        self._bridge = self._run("bridge", [
            "bridge", "--device", self.keychain.line, "--state", str(folder / "state"), "--control",
            str(path), "--pin-file", str(pin), "--json", "--listen", "127.0.0.1:0", "--profile",
            self._profile, "--countdown", str(self._countdown)])
        control = Control(path)
        self._alarm = Alarm(control, self.pin)
        if self._capture:
            capture = folder / "wire.pcapng"
            if capture.exists():
                capture.replace(folder / "wire-before.pcapng")
            monitor = self._run("monitor", [
                "monitor", "--socket", str(path), "--write", str(capture)])
            self._wire = Wire(self.program, capture, monitor)

    def _run(self, name: str, words: typing.Sequence[str]) -> Process:
        process = Process(self.folder, name, self.program, words)
        # Before it starts, so that Ctrl-C meanwhile finds it.
        self.processes.append(process)
        process.start()
        if self._guard is not None:
            self._guard.watch(process.pid)
        return process

    def _forget_bridge(self) -> None:
        """Before it ends, so that no thread listens to what is gone."""
        if self._client is not None:
            self._client.close()
            self._client = None
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        if self._alarm is not None:
            self._alarm.close()
            self._alarm = None
        self._bridge = None


T = typing.TypeVar("T")


def there(one: typing.Optional[T]) -> T:
    if one is None:
        raise ProcessFailed("the bench does not run: use it in a `with`, or start it")
    return one
