"""Server-sent events: a parser without a socket, as WHATWG's HTML has it, and how to go on."""
import dataclasses
import typing

from .errors import ConnectionCut, Malformed, Problem
from .http import Answer, is_success, problem
from .parsing import parsed
from .request import Pairs, Request

# Bytes that a text line of a stream, or the data of one event, may have.
LINE_LIMIT = 1024 * 1024
# Seconds of silence after which a connection is taken for dead: a core says that it lives more
# often.
SILENCE = 60.0


@dataclasses.dataclass(frozen=True)
class Event:
    """One event of a stream: its name, its data as text, and the id after which it resumes."""

    name: str
    data: str
    id: typing.Optional[str]

    def json(self) -> typing.Any:
        """Its data as JSON. Raises Malformed where it is none."""
        return parsed(self.data, f"event {self.name}")


class EventParser:
    """Events out of bytes, however these are cut.

    last_id is the id of the last event that has come as a whole; retry, in seconds, is how long to
    wait before asking again, where the server has said so.
    """

    def __init__(self) -> None:
        self.last_id: typing.Optional[str] = None
        self.retry: typing.Optional[float] = None
        self._line = bytearray()
        self._was_return = self._has_begun = False
        self._id: typing.Optional[str] = None
        self._clear()

    def feed(self, data: bytes) -> typing.List[Event]:
        """The events that are whole now. Raises Malformed beyond LINE_LIMIT."""
        found: typing.List[Event] = []
        if self._was_return and data:
            # The other half of a line's end that was cut in two.
            data = data[1:] if data[:1] == b"\n" else data
            self._was_return = False
        self._line += data
        while True:
            end = self._end_of_line()
            if end is None:
                break
            line = bytes(self._line[:end[0]])
            del self._line[:end[1]]
            event = self._take(line)
            if event is not None:
                found.append(event)
        if len(self._line) > LINE_LIMIT or self._size > LINE_LIMIT:
            raise Malformed(f"an event is longer than {LINE_LIMIT} bytes")
        return found

    def _end_of_line(self) -> typing.Optional[typing.Tuple[int, int]]:
        ends = [place for place in (self._line.find(b"\n"), self._line.find(b"\r")) if place >= 0]
        if not ends:
            return None
        end = min(ends)
        if self._line[end:end + 1] == b"\r":
            if self._line[end + 1:end + 2] == b"\n":
                return end, end + 2
            self._was_return = end + 1 == len(self._line)
        return end, end + 1

    def _take(self, raw: bytes) -> typing.Optional[Event]:
        line = raw.decode("utf-8", "replace")
        if not self._has_begun:
            self._has_begun = True
            line = line[1:] if line[:1] == "\ufeff" else line
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value[1:] if value[:1] == " " else value
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
            self._size += len(value) + 1
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value) / 1000
        return None

    def _dispatch(self) -> typing.Optional[Event]:
        if self._id is not None:
            self.last_id = self._id
        event = Event(self._name or "message", "\n".join(self._data), self.last_id)
        has_data = bool(self._data)
        self._clear()
        return event if has_data else None

    def _clear(self) -> None:
        self._name = ""
        self._data: typing.List[str] = []
        self._size = 0
        self._id = None


@dataclasses.dataclass
class Resumption:
    """Where a stream goes on, and after how many seconds."""

    target: str
    query: Pairs
    last_id: typing.Optional[str] = None
    retry: float = 1.0

    def request(self) -> "Request[None]":
        headers: Pairs = (("Last-Event-ID", self.last_id), ("Cache-Control", "no-store"))
        query = self.query
        if self.last_id is not None:
            query = tuple(pair for pair in query if pair[0] != "after")
        return Request("GET", self.target, "none", query=query, headers=headers)

    def heard(self, parser: EventParser, event: Event) -> None:
        if event.id is not None:
            self.last_id = event.id
        self.note(parser)

    def note(self, parser: EventParser) -> None:
        # A server may not ask for more than a minute: nobody would know that it is asked no more.
        if parser.retry is not None:
            self.retry = min(parser.retry, 60.0)

    def delay(self, refusal: typing.Optional[Problem]) -> float:
        """Seconds to wait. Raises the refusal where asking again is of no use."""
        if refusal is None:
            return self.retry
        if refusal.status not in (429, 500, 502, 503, 504):
            raise refusal
        return min(refusal.retry_after or self.retry, 60.0)


def events_in(answer: Answer, parser: EventParser, place: Resumption) -> typing.List[Event]:
    """The events that have come of an answer. Raises Problem where it is a refusal, Malformed where
    it is no stream, ConnectionCut where it has ended and none came."""
    if not answer.has_head:
        return []
    if not is_success(answer.status):
        if answer.is_whole:
            raise problem(answer, answer.take())
        answer.check_size()
        return []
    if "text/event-stream" not in answer.headers.get("content-type", ""):
        raise Malformed("what answers is no stream of events")
    ready = parser.feed(answer.take())
    place.note(parser)
    if answer.is_whole and not ready:
        raise ConnectionCut("the stream has ended")
    return ready
