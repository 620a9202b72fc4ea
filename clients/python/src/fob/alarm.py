"""The alarm of a bench: what the core decides, as it decides it."""
import collections
import dataclasses
import threading
import time
import typing

from .api.shared import AlarmState
from .control import Control, Subscription
from .errors import FobError, TimedOut

Told = typing.Dict[str, typing.Any]
# Messages of the core that are kept; of more the oldest are forgotten.
KEPT = 10_000


@dataclasses.dataclass(frozen=True)
class Transition:
    """The alarm's state has become state.

    decided: when the core decided, and seen: when this process heard of it, both in microseconds
    of the host's CLOCK_BOOTTIME; decided is None for the state that a wait began with.
    """

    state: AlarmState
    incident: typing.Optional[str]
    decided: typing.Optional[int]
    seen: int


class Alarm:
    """What the core tells at its control socket, from the bench's start on, and what it is asked.

    A thread of its own listens; every method may be called by any thread. What is told is decided,
    and not always durable yet: keychain.wait("acked") says that an event is.
    """

    def __init__(self, control: Control, pin: str) -> None:
        self.control, self.pin = control, pin
        self._news = threading.Condition()
        self._told: typing.Deque[Told] = collections.deque(maxlen=KEPT)
        self._transitions: typing.List[Transition] = []
        # Where the next wait goes on among the transitions.
        self._place = 0
        self._has_ended = False
        self._subscription: Subscription = control.subscribe()
        state = control.ask("status")["status"]["state"]
        self._transitions.append(Transition(state, None, None, boot_microseconds()))
        self._thread = threading.Thread(target=self._listen, name="fob-alarm", daemon=True)
        self._thread.start()

    @property
    def state(self) -> AlarmState:
        """The state, asked now."""
        found: AlarmState = self.status["state"]
        return found

    @property
    def status(self) -> Told:
        """What is true now, as GET /v1/status has it."""
        found: Told = self.control.ask("status")["status"]
        return found

    @property
    def incidents(self) -> typing.List[Told]:
        """Each incident."""
        return self.control.rows("incidents")

    @property
    def incident(self) -> typing.Optional[Told]:
        """The incident of the alarm that goes on, or has ended and was not resumed from."""
        found: typing.Optional[Told] = self.status.get("incident")
        return found

    @property
    def presses(self) -> typing.List[str]:
        """The events of all presses, in their order."""
        return [press["event"] for press in self.control.rows("presses")]

    def until(self, state: AlarmState, within: float = 10.0) -> Transition:
        """Waits until the alarm has this state, and returns how that came.

        It looks at the state in which the last wait ended, and at each that came after it: none is
        missed, however short it was. Raises TimedOut after so many seconds, with the way so far.
        """
        def found() -> typing.Optional[int]:
            return next((place for place in range(self._place, len(self._transitions))
                         if self._transitions[place].state == state), None)

        with self._news:
            self._wait(lambda: found() is not None, within, f"the state {state}")
            place = found()
            if place is None:
                raise FobError("the alarm's thread has ended")
            self._place = place
            return self._transitions[place]

    def until_told(self, name: str, within: float = 10.0, **facts: typing.Any) -> Told:
        """The first audit event of that name with these facts, since the bench began."""
        def found() -> typing.Optional[Told]:
            return next((one for one in self._happenings()
                         if one["name"] == name and facts.items() <= one.get("facts", {}).items()),
                        None)

        with self._news:
            self._wait(lambda: found() is not None, within, f"{name} {facts or ''}")
            event = found()
        if event is None:
            raise FobError("more was told than is kept")
        return event

    def until_linked(self, within: float = 10.0) -> None:
        """Waits until a keychain is linked to the core."""
        # Asked once: a link that comes up behind that is told.
        if not any(device["isLinked"] for device in self.status["devices"]):
            self.until_told("linkUp", within)

    def latency(self, event: str, within: float = 10.0) -> typing.Dict[str, int]:
        """How long a press took, in microseconds from its first edge: stored, written, read,
        decided, durable, acked and lit, as soon as all are known. A press of before a power cut has
        no edge on any clock of now, and so none of them: then this raises TimedOut."""
        with self._news:
            self._wait(lambda: event in self._stages(), within, f"the stages of {event}")
            return self._stages()[event]

    @property
    def latencies(self) -> typing.Dict[str, typing.Dict[str, int]]:
        """As latency, of each press of which all is known."""
        with self._news:
            return self._stages()

    def disarm(self, pin: typing.Optional[str] = None) -> Told:
        """Ends the emergency by its PIN, or by another. Raises Refused for a wrong one."""
        return self.control.ask("disarm", pin=self.pin if pin is None else pin)

    def silence(self) -> Told:
        """Stops the sounder; the emergency goes on."""
        return self.control.ask("silence")

    def acknowledge(self, contact: str = "contact-1") -> Told:
        """A contact has it in hand."""
        return self.control.ask("acknowledge", contact=contact)

    def resume(self) -> Told:
        """Protects again after the end."""
        return self.control.ask("resume")

    def calm(self, within: float = 10.0) -> None:
        """Ends an alarm and resumes from it; what was before is no matter of the next until."""
        def ended() -> int:
            return sum(one.state == "NO_EMERGENCY" for one in self._transitions)

        before, state = ended(), self.state
        if state not in ("NO_EMERGENCY", "EMERGENCY_ENDED"):
            state = self.disarm()["state"]
        if state == "EMERGENCY_ENDED":
            self.resume()
        else:
            before -= 1
        with self._news:
            self._wait(lambda: self._transitions[-1].state == "NO_EMERGENCY" and ended() > before,
                       within, "the state NO_EMERGENCY")
            self._place = len(self._transitions) - 1

    @property
    def told(self) -> typing.List[Told]:
        """What the core has told, the last 10,000, but for positions, which come all the time."""
        with self._news:
            return list(self._told)

    def close(self) -> None:
        """Ends its thread; may be repeated."""
        self._subscription.shut()
        self._thread.join()
        self._subscription.close()

    def _wait(self, is_so: typing.Callable[[], bool], within: float, what: str) -> None:
        """Within the lock."""
        self._news.wait_for(lambda: is_so() or self._has_ended, within)
        if not is_so():
            way = " → ".join(one.state for one in self._transitions[self._place:])
            why = "the core has ended" if self._has_ended else f"not within {within} s"
            raise TimedOut(f"in vain for {what}: {why}; the state was {way}")

    def _stages(self) -> typing.Dict[str, typing.Dict[str, int]]:
        names = ("stored", "written", "read", "decided", "durable", "acked", "lit")
        known = (one["stages"] for one in self._told if one.get("type") == "stages")
        return {stages["event"]: {name: stages[name] - stages["edge"] for name in names
                                  if name in stages}
                for stages in known if {"edge", "lit"} <= stages.keys()}

    def _happenings(self) -> typing.Iterator[Told]:
        return (one["happening"] for one in self._told if one.get("type") == "happening")

    def _listen(self) -> None:
        try:
            for told in self._subscription:
                self._take(told)
        except FobError:
            pass
        finally:
            with self._news:
                self._has_ended = True
                self._news.notify_all()

    def _take(self, told: Told) -> None:
        seen = boot_microseconds()
        happening = told.get("happening", {})
        if told.get("type") == "located":
            return
        with self._news:
            self._told.append(told)
            if happening.get("name") == "stateChanged":
                self._transitions.append(Transition(
                    happening["facts"]["to"], happening.get("incident"),
                    happening["at"]["instant"], seen))
            self._news.notify_all()


def boot_microseconds() -> int:
    """The clock of fob's stamps: µs since the host was started, sleep included."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000
