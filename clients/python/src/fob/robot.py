"""A keychain panic alarm for Robot Framework: `Library    fob.robot`.

Needs Robot Framework: pip install fob-bench[robot]."""
import datetime
import pathlib
import typing

from robot.api import logger
from robot.api.deco import keyword, library
from robot.libraries.BuiltIn import BuiltIn

from .alarm import Told
from .api.shared import AlarmState
from .bench import Bench
from .errors import FobError, Unsupported
from .keychain import State
from .wire import Frame

Duration = datetime.timedelta
Stage = typing.Literal["stored", "written", "read", "decided", "durable", "acked", "lit"]
SECOND, PATIENCE = Duration(seconds=1), Duration(seconds=10)

# What a keychain cannot do skips the test, which Robot Framework reads from the error's type.
setattr(Unsupported, "ROBOT_SKIP_EXECUTION", True)


@library(scope="SUITE", doc_format="ROBOT", auto_keywords=False)
class BenchLibrary:
    """A bench for tests of a keychain panic alarm: an emulated keychain, a bridge, an alert core.

    The first keyword starts the bench, which serves all tests of a suite and ends with it. It is
    calm before each test: no alarm, no fault, the plug in. Nobody is told: messages go to a file.
    A test that fails leaves every log, the capture of the line and the state of both ends in the
    folder ``artifacts``, below the output directory; the next test gets a new bench. What a
    keychain cannot do skips the test.

    | *** Settings ***
    | Library    fob.robot
    |
    | *** Test Cases ***
    | A Press Becomes An Alarm
    |     Press
    |     Alarm Should Become    EMERGENCY_SENT
    |     Latency Should Be Below    1 s
    |     Disarm Alarm
    |     Alarm Should Become    EMERGENCY_ENDED

    Durations are Robot Framework's: ``500 ms``, ``2 s``. No keyword sleeps: those that wait hear
    what happens.
    """

    def __init__(self, device: str = "emulated", program: typing.Optional[str] = None,
                 artifacts: str = "artifacts", profile: str = "literal", countdown: int = 0,
                 battery: int = 87, gps: typing.Optional[str] = None) -> None:
        """``device``: ``emulated``, ``lm3s6965evb``, ``microbit``, or the line of a keychain of
        yours, as in ``tty:1209:0001``. ``program``: fob; $FOB, or fob on the PATH, where it is
        not named. ``artifacts``: the folder for what is left of a failed test. ``profile``: literal
        or guarded. ``countdown``: seconds between a press and the first message. ``battery``: per
        cent. ``gps``: what the receiver hears."""
        self.ROBOT_LIBRARY_LISTENER = self
        self._options: typing.Dict[str, typing.Any] = {
            "device": device, "program": program, "profile": profile, "countdown": countdown,
            "battery": battery, "gps": gps}
        self._artifacts = artifacts
        self._running: typing.Optional[Bench] = None

    # What Robot Framework tells its listeners.

    def end_test(self, data: typing.Any, result: typing.Any) -> None:
        """Collects what a failed test has left, or calms the bench."""
        if self._running is None:
            return
        try:
            if result.failed:
                result.message += f"\n\nCollected in {self._collect(self._running, result)}"
            else:
                self._running.calm()
                return
        except FobError as error:
            logger.warn(f"The next test gets a new bench: {error}")
        self._stop()

    def close(self) -> None:
        """The suite has ended."""
        self._stop()

    # The keychain and its hands.

    @keyword(tags=["keychain"])
    def press(self, hold: typing.Optional[Duration] = None) -> str:
        """Presses the button, holds it for ``hold``, and releases it.

        Returns the event, as ``1.2``, once the keychain has stored it."""
        return self._bench.keychain.press(None if hold is None else milliseconds(hold))

    @keyword(tags=["keychain"])
    def hold(self) -> None:
        """Presses the button and keeps it pressed, until `Release`."""
        self._bench.keychain.hold()

    @keyword(tags=["keychain"])
    def release(self) -> None:
        """Lets go of a button that `Hold` has pressed."""
        self._bench.keychain.release()

    @keyword(tags=["keychain"])
    def stick(self) -> None:
        """The button's contact stays closed, whatever the finger does, until `Unstick`."""
        self._bench.keychain.stick()

    @keyword(tags=["keychain"])
    def unstick(self) -> None:
        """The contact opens again."""
        self._bench.keychain.unstick()

    @keyword(tags=["keychain"])
    def unplug(self) -> None:
        """Pulls the plug of the line; the keychain goes on by its battery."""
        self._bench.keychain.unplug()

    @keyword(tags=["keychain"])
    def replug(self) -> None:
        """Pushes the plug in."""
        self._bench.keychain.replug()

    @keyword(tags=["keychain"])
    def cut_power(self, duration: Duration = Duration(milliseconds=100)) -> None:
        """Takes the keychain's power away for ``duration``; returns once it has booted again."""
        keychain = self._bench.keychain
        keychain.until(lambda state: "boot" in state,
                       lambda: keychain.power_cut(milliseconds(duration)),
                       (duration + PATIENCE).total_seconds())

    @keyword(tags=["keychain"])
    def set_battery(self, percent: int) -> None:
        """Charges or drains the battery to ``percent``."""
        self._bench.keychain.battery(percent)

    @keyword(tags=["keychain"])
    def set_gps(self, source: str) -> None:
        """What the receiver hears: ``at:51.4778,-0.0015``, ``none``, ``story:tunnel``."""
        self._bench.keychain.gps(source)

    @keyword(tags=["keychain"])
    def fail_store(self, fails: bool = True) -> None:
        """The keychain's memory refuses what is written; with ``False`` no more."""
        self._bench.keychain.store_fails(fails)

    @keyword(tags=["keychain"])
    def disturb_line(self, kind: typing.Literal["drop", "flip", "double", "insert", "split",
                                                "stall", "none"],
                     to: typing.Literal["host", "device", "both"] = "both",
                     rate: typing.Optional[float] = None, at: typing.Optional[int] = None,
                     count: typing.Optional[int] = None, seed: typing.Optional[int] = None) -> None:
        """A fault of the line; ``none`` ends all.

        ``rate`` is the share of bytes that are hit, 0 to 1; or ``at`` is a byte, counted from now
        on, and ``count`` how many from there."""
        self._bench.keychain.fault(kind, to=None if kind == "none" else to, rate=rate, at=at,
                                   count=count, seed=seed)

    @keyword(tags=["keychain"])
    def ask_keychain(self, request: str, **fields: typing.Any) -> State:
        """Asks any other control request, as ``sag    mv=${300}    ms=${50}``; returns the answer.
        """
        return self._bench.keychain.ask(request, fields)

    @keyword(tags=["keychain"])
    def wait_until_acked(self, event: typing.Optional[str] = None,
                         within: Duration = PATIENCE) -> None:
        """Until ``event``, or the last press, is durable at the core, and the keychain knows it."""
        self._bench.keychain.wait("acked", event=event or self._last_press(),
                                  within=within.total_seconds())

    @keyword(tags=["keychain"])
    def light_should_become(self, shown: str, within: Duration = PATIENCE) -> None:
        """Waits until the keychain's light shows that: idle, sending, accepted, ended …"""
        self._bench.keychain.until(lambda state: state.get("shown") == shown,
                                   within=within.total_seconds())

    # The alarm.

    @keyword(tags=["alarm"])
    def alarm_should_become(self, state: AlarmState,
                            within: Duration = PATIENCE) -> typing.Optional[str]:
        """Waits until the alarm has this state; returns the incident's id.

        It looks at each state since the one that was last waited for: none is missed, however short
        it was."""
        return self._bench.alarm.until(state, within.total_seconds()).incident

    @keyword(tags=["alarm"])
    def alarm_should_be(self, state: AlarmState) -> None:
        """The alarm has this state now."""
        now = self._bench.alarm.state
        if now != state:
            raise AssertionError(f"The alarm is {now}, not {state}")

    @keyword(tags=["alarm"])
    def disarm_alarm(self, pin: typing.Optional[str] = None) -> None:
        """Ends the emergency by its PIN; a wrong ``pin`` fails."""
        self._bench.alarm.disarm(pin)

    @keyword(tags=["alarm"])
    def silence_alarm(self) -> None:
        """Stops the sounder; the emergency goes on."""
        self._bench.alarm.silence()

    @keyword(tags=["alarm"])
    def acknowledge_alarm(self, contact: str = "contact-1") -> None:
        """A contact has it in hand."""
        self._bench.alarm.acknowledge(contact)

    @keyword(tags=["alarm"])
    def resume_protection(self) -> None:
        """Protects again after the end."""
        self._bench.alarm.resume()

    @keyword(tags=["alarm"])
    def press_should_have_arrived(self, event: typing.Optional[str] = None) -> None:
        """The core has ``event``, or the last press, once."""
        self._expect_arrivals(event, 1)

    @keyword(tags=["alarm"])
    def press_should_not_have_arrived(self, event: typing.Optional[str] = None) -> None:
        """The core does not know ``event``, or the last press."""
        self._expect_arrivals(event, 0)

    @keyword(tags=["alarm"])
    def latency_should_be_below(self, limit: Duration, stage: Stage = "lit",
                                event: typing.Optional[str] = None) -> float:
        """From the first edge of the press to ``stage``; ``lit`` is when the light shows it.

        Returns the latency in seconds."""
        took = self._bench.alarm.latency(event or self._last_press())[stage] / 1_000_000
        if took >= limit.total_seconds():
            most = limit.total_seconds()
            raise AssertionError(f"{stage} came after {took} s, not below {most} s")
        return took

    # The bench.

    @keyword(tags=["bench"])
    def restart_bridge(self) -> None:
        """Kills bridge and core, as a power cut would, and starts them on the same state; returns
        once the keychain is linked again."""
        self._bench.restart_bridge()

    @keyword(tags=["bench"])
    def calm_bench(self) -> None:
        """Ends an alarm, faults and a pulled plug within a test."""
        self._bench.calm()

    @keyword(tags=["bench"])
    def get_frames(self, *types: str) -> typing.List[Frame]:
        """Each frame that has gone over the line, decoded; with ``types``, as ``EVENT``, those."""
        return [frame for frame in self._bench.wire.frames
                if not types or frame.get("type") in types]

    @keyword(tags=["bench"])
    def save_capture(self, path: str) -> None:
        """Copies the capture of the line, for Wireshark."""
        self._bench.wire.save(path)

    @keyword(tags=["bench"])
    def get_api(self) -> typing.Tuple[str, str]:
        """The address of the HTTP API, and an administrator's token for it."""
        return self._bench.url, self._bench.token

    @keyword(tags=["bench"])
    def get_status(self) -> Told:
        """What is true now, as ``GET /v1/status`` has it."""
        return self._bench.alarm.status

    @property
    def _bench(self) -> Bench:
        if self._running is None:
            bench = Bench(**self._options)
            bench.start()
            self._running = bench
        return self._running

    def _last_press(self) -> str:
        event = self._bench.keychain.last_press
        if event is None:
            raise FobError("no button was pressed here: name the event")
        return event

    def _expect_arrivals(self, event: typing.Optional[str], count: int) -> None:
        event = event or self._last_press()
        found = self._bench.alarm.presses.count(event)
        if found != count:
            raise AssertionError(f"The core has the press {event} {found} times, not {count}")

    def _collect(self, bench: Bench, result: typing.Any) -> pathlib.Path:
        output = BuiltIn().get_variable_value("${OUTPUT DIR}")
        bench.name = result.longname
        return bench.collect(result.message, pathlib.Path(output, self._artifacts))

    def _stop(self) -> None:
        if self._running is not None:
            self._running.close()
            self._running = None


def milliseconds(duration: Duration) -> int:
    return round(duration.total_seconds() * 1000)
