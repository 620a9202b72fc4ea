"""A stream of server-sent events that resumes where it was cut, for threads."""
import socket
import ssl
import threading
import time
import types
import typing

from . import client
from .address import Address
from .errors import ConnectionCut, ConnectionFailed, FobError, Malformed, Problem, TimedOut
from .events import SILENCE, Event, EventParser, Resumption, events_in
from .http import Answer, encode
from .request import Pairs


class EventStream:
    """Each event once and in order, whatever becomes of the connection: `for event in stream`.

    A cut connection is made anew after as many seconds as the core has asked for, with
    Last-Event-ID; so is one on which nothing has come for 60 s. One thread reads; close may be
    called by any, and ends the iteration. Use it in a `with`, or close it.

    Raises Problem where the core refuses for good, such as 401. Where the core is gone it tries
    until it is back: next_event has a deadline.
    """

    def __init__(self, address: Address, context: typing.Optional[ssl.SSLContext],
                 token: typing.Optional[str], target: str, query: Pairs, timeout: float) -> None:
        self._address, self._context, self._token = address, context, token
        self._timeout = timeout
        self._place = Resumption(target, query)
        self._connection: typing.Optional["client.Connection"] = None
        self._answer, self._parser = Answer(), EventParser()
        self._ready: typing.List[Event] = []
        self._closed = threading.Event()

    def __enter__(self) -> "EventStream":
        return self

    def __exit__(self, kind: typing.Optional[typing.Type[BaseException]],
                 error: typing.Optional[BaseException],
                 trace: typing.Optional[types.TracebackType]) -> None:
        self.close()

    def __iter__(self) -> typing.Iterator[Event]:
        while True:
            event = self.next_event()
            if event is None:
                return
            yield event

    @property
    def last_id(self) -> typing.Optional[str]:
        """The id after which it goes on."""
        return self._place.last_id

    def next_event(self, within: typing.Optional[float] = None) -> typing.Optional[Event]:
        """The next event; None where the stream was closed. Raises TimedOut after so many
        seconds."""
        until = None if within is None else time.monotonic() + within
        while not self._ready:
            if self._closed.is_set():
                return None
            try:
                self._read(until)
            except (ConnectionFailed, ConnectionCut, Malformed):
                self._pause(self._place.delay(None), until)
            except Problem as refusal:
                self._pause(self._place.delay(refusal), until)
        event = self._ready.pop(0)
        self._place.heard(self._parser, event)
        return event

    def close(self) -> None:
        """Ends the stream."""
        self._closed.set()
        connection = self._connection
        if connection is not None:
            try:
                # Wakes the thread that reads.
                connection.socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()

    def _read(self, until: typing.Optional[float]) -> None:
        if self._connection is None:
            self._open(until)
        connection = self._connection
        if connection is None:
            raise FobError("there is no connection")
        silent = time.monotonic() + SILENCE
        try:
            data = connection.receive(silent if until is None else min(silent, until))
        except TimedOut:
            if until is not None and time.monotonic() >= until:
                raise
            raise ConnectionCut("nothing has come for so long that the stream is dead") from None
        if not data:
            raise ConnectionCut("the stream was cut")
        self._answer.feed(data)
        self._ready += events_in(self._answer, self._parser, self._place)

    def _open(self, until: typing.Optional[float]) -> None:
        self._answer, self._parser = Answer(), EventParser()
        self._parser.last_id = self._place.last_id
        most = time.monotonic() + self._timeout
        deadline = most if until is None else min(most, until)
        try:
            connection = client.Connection(self._address, self._context, deadline)
            self._connection = connection
            connection.send(encode(self._place.request(), self._address.authority, self._token,
                                   "text/event-stream"), deadline)
        except TimedOut:
            if until is not None and time.monotonic() >= until:
                raise
            raise ConnectionCut("the stream was not opened in time") from None

    def _pause(self, seconds: float, until: typing.Optional[float]) -> None:
        """Waits before the next try, unless it is closed or its deadline comes first."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        left = seconds if until is None else min(seconds, until - time.monotonic())
        if self._closed.wait(max(0.0, left)):
            return
        if until is not None and time.monotonic() >= until:
            raise TimedOut("no event in time")
