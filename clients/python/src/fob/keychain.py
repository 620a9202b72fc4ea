"""The keychain of a bench, as hands and mischief reach it."""
import time
import typing

from .control import Control
from .errors import Refused, TimedOut, Unsupported

State = typing.Dict[str, typing.Any]
# What fob emulate runs in QEMU, by the names of --board; qemu is the first one's old name.
IN_QEMU = ("lm3s6965evb", "qemu", "microbit")
# What a board in QEMU has no part for.
NOT_IN_QEMU = ("clock", "store")


class Keychain:
    """An emulated keychain: every method is a control request, and returns once it is done.

    control is None for a keychain that fob does not emulate: then each method raises Unsupported.
    A request that the board refuses raises Refused. Threads may share it.
    """

    def __init__(self, control: typing.Optional[Control], line: str, board: str) -> None:
        self.control, self.line, self.board = control, line, board
        # The event of the last press that was asked for here.
        self.last_press: typing.Optional[str] = None
        self._is_held = False

    def ask(self, do: str, fields: typing.Optional[State] = None, *,
            timeout: typing.Optional[float] = None, **more: typing.Any) -> State:
        """Any control request, as docs/reference/control-requests.md has them."""
        if self.control is None:
            raise self._refusal(do)
        try:
            return self.control.ask(do, fields, timeout=timeout, **more)
        except Refused as error:
            if self.board in IN_QEMU and do in NOT_IN_QEMU:
                raise Unsupported(str(error)) from error
            raise

    def _refusal(self, do: str) -> Unsupported:
        return Unsupported(f"{do}: {self.line} is no emulated keychain: only a finger presses its "
                           "button, and only hands reach its plug and its battery")

    def press(self, hold_ms: typing.Optional[int] = None) -> str:
        """Presses and releases; the event's number, boot.n, once the firmware has stored it.

        hold_ms: how long the button is held. The release comes when its time has come.
        """
        more = {} if hold_ms is None else {"hold_ms": hold_ms}
        event = str(self.ask("press", more)["event"])
        self.last_press = event
        return event

    def hold(self) -> None:
        """Closes the button."""
        self.ask("hold")
        self._is_held = True

    def release(self) -> None:
        """Opens it."""
        self.ask("release")
        self._is_held = False

    def stick(self) -> None:
        """The contact stays closed, whatever the finger does."""
        self.ask("stick")

    def unstick(self) -> None:
        """It opens again."""
        self.ask("unstick")

    def chatter(self, on: bool = True, seed: typing.Optional[int] = None) -> None:
        """A held contact opens for moments, or no more."""
        self.ask("button", {"chatter": on} if seed is None else {"chatter": on, "seed": seed})

    def battery(self, percent: typing.Optional[int] = None, *,
                millivolts: typing.Optional[int] = None,
                drain_per_hour: typing.Optional[int] = None,
                ohms: typing.Optional[float] = None) -> None:
        """Charge in per cent or voltage in millivolts; per cent lost in an hour; inner resistance
        of the empty cell in ohms."""
        self.ask("battery", given(percent=percent, mv=millivolts, drain_per_hour=drain_per_hour,
                                  ohms=ohms))

    def sag(self, millivolts: int, ms: int) -> None:
        """The voltage falls by so much for so long: a brown-out."""
        self.ask("sag", mv=millivolts, ms=ms)

    def clock(self, *, drift_ppm: typing.Optional[int] = None,
              jump_us: typing.Optional[int] = None) -> None:
        """The board's clock gains, in parts per million, or jumps, in microseconds."""
        self.ask("clock", given(drift_ppm=drift_ppm, jump_us=jump_us))

    def gps(self, source: str, *, loop: typing.Optional[bool] = None) -> None:
        """What the receiver hears, as in at:51.4778,-0.0015, none or story:tunnel."""
        self.ask("gps", given(source=source, loop=loop))

    def unplug(self) -> None:
        """Pulls the plug of the line; the battery goes on."""
        self.ask("unplug")

    def replug(self) -> None:
        """Pushes it in."""
        self.ask("replug")

    def reset(self) -> None:
        """Resets the board."""
        self.ask("reset")

    def power_cut(self, ms: int) -> None:
        """No power for so many milliseconds. `wait("ready")` is the boot behind it, where the plug
        is in: with a pulled plug a keychain is not ready."""
        self.ask("powercut", ms=ms)

    def store_fails(self, fails: bool = True) -> None:
        """The memory refuses what is written, or no more."""
        self.ask("store", fail=fails)

    def fault(self, kind: str, *, to: typing.Optional[str] = None,
              rate: typing.Optional[float] = None, at: typing.Optional[int] = None,
              count: typing.Optional[int] = None, seed: typing.Optional[int] = None,
              ms: typing.Optional[int] = None, byte: typing.Optional[int] = None,
              bit: typing.Optional[int] = None) -> None:
        """A fault of the line: drop, flip, double, insert, split, stall, or none, which ends all.

        to: host, device or both. rate: share of bytes that are hit, 0 to 1; or at: a byte, counted
        from 0 when the fault is set, and count from there.
        """
        self.ask("fault", given(kind=kind, to=to, rate=rate, at=at, count=count, seed=seed, ms=ms,
                                byte=byte, bit=bit))

    def wait(self, goal: str, *, event: typing.Optional[str] = None,
             within: float = 10.0) -> None:
        """Until it is ready, linked, or has event acked. Raises Refused after so many seconds."""
        self.ask("wait", given(**{"for": goal}, event=event, within_ms=int(within * 1000)),
                 timeout=within + 5.0)

    def until(self, is_so: typing.Callable[[State], bool],
              act: typing.Optional[typing.Callable[[], object]] = None,
              within: float = 10.0) -> State:
        """Acts, and returns the state once it is so: looks whenever the keychain tells that
        something has happened. Raises TimedOut after so many seconds, with the state then."""
        if self.control is None:
            raise self._refusal("state")
        end = time.monotonic() + within
        with self.control.subscribe() as events:
            if act is not None:
                act()
            while True:
                state = self.state
                if is_so(state):
                    return state
                try:
                    events.next(end - time.monotonic())
                except TimedOut as error:
                    raise TimedOut(f"not within {within} s: the keychain is {state}") from error

    def calm(self, within: float = 10.0) -> None:
        """Ends faults, a stuck or held button and a pulled plug, and waits until the last press is
        acked."""
        self.fault("none")
        state = self.state
        if state["stuck"]:
            self.unstick()
        # Not by the state: a press holds the button, too, and lets go by itself.
        if self._is_held:
            self.release()
        if not state["plugged"]:
            self.replug()
        if self.last_press is not None:
            self.wait("acked", event=self.last_press, within=within)

    @property
    def state(self) -> State:
        """It as it stands: battery in per cent, millivolts, shown, unacked, plugged and more."""
        return self.ask("state")

    @property
    def device(self) -> str:
        """Its id, 16 hexadecimal digits."""
        return str(self.state["device"])

    @property
    def shown(self) -> str:
        """What its light shows, as in idle, sending or accepted."""
        return str(self.state["shown"])


def given(**fields: typing.Any) -> State:
    return {name: value for name, value in fields.items() if value is not None}
