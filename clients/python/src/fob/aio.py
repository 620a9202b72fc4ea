"""A client of the HTTP API for asyncio."""
import asyncio
import ssl
import time
import types
import typing

from .address import Address
from .errors import ConnectionCut, ConnectionFailed, FobError, Malformed, Problem, TimedOut
from .events import SILENCE, Event, EventParser, Resumption, events_in
from .http import Answer, decode, encode
from .request import Pairs, Request

T = typing.TypeVar("T")


class AsyncConnection:
    """One connection, for one request after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    @classmethod
    async def open(cls, address: Address, context: typing.Optional[ssl.SSLContext],
                   until: float) -> "AsyncConnection":
        try:
            reader, writer = await in_time(asyncio.open_connection(
                address.host, address.port, ssl=context), until)
        except OSError as error:
            raise ConnectionFailed(f"{address.authority}: {error}") from error
        return cls(reader, writer)

    @property
    def is_stale(self) -> bool:
        return self._reader.at_eof() or self._writer.is_closing()

    async def send(self, data: bytes, until: float) -> None:
        try:
            self._writer.write(data)
            await in_time(self._writer.drain(), until)
        except OSError as error:
            raise ConnectionCut(f"the connection ended while the request was sent: {error}"
                                ) from error

    async def receive(self, until: float) -> bytes:
        try:
            return await in_time(self._reader.read(65536), until)
        except OSError as error:
            raise ConnectionCut(f"the connection ended before an answer: {error}") from error

    def close(self) -> None:
        # Not waited for: after a cancellation nobody would.
        self._writer.transport.abort()


class AsyncClient:
    """As Client, with `await client.ask(…)`. It belongs to the event loop in which it is first
    used; tasks may share it: their requests go one after the other. A task that is cancelled leaves
    no connection that is half read."""

    def __init__(self, url: str, token: typing.Optional[str] = None, *, timeout: float = 20.0,
                 ca: typing.Optional[str] = None) -> None:
        self.address = Address.of(url)
        self._token, self._timeout = token, timeout
        self._context = self.address.context(ca)
        self._connection: typing.Optional[AsyncConnection] = None
        self._lock: typing.Optional[asyncio.Lock] = None

    async def __aenter__(self) -> "AsyncClient":
        return self

    async def __aexit__(self, kind: typing.Optional[typing.Type[BaseException]],
                        error: typing.Optional[BaseException],
                        trace: typing.Optional[types.TracebackType]) -> None:
        self.close()

    async def ask(self, request: "Request[T]", *, timeout: typing.Optional[float] = None) -> T:
        """The answer; raises what Client.ask raises."""
        until = time.monotonic() + (self._timeout if timeout is None else timeout)
        data = encode(request, self.address.authority, self._token)
        if self._lock is None:
            # Before Python 3.10 a lock belongs to the loop in which it is made.
            self._lock = asyncio.Lock()
        async with self._lock:
            answer, body = await self._exchange(data, until, request.method == "GET")
        return typing.cast(T, decode(request, answer, body))

    def events(self, *, after: typing.Optional[int] = None,
               device: typing.Optional[str] = None,
               incident: typing.Optional[str] = None) -> "AsyncEventStream":
        """As Client.events, for `async for`."""
        query = (("after", after), ("device", device), ("incident", incident))
        return AsyncEventStream(
            self.address, self._context, self._token, "/v1/events", query, self._timeout)

    def close(self) -> None:
        """Ends the connection; the next request makes another one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _exchange(self, data: bytes, until: float,
                        may_repeat: bool) -> typing.Tuple[Answer, bytes]:
        kept = self._connection is not None and not self._connection.is_stale
        try:
            return await self._once(data, until, kept)
        except ConnectionCut:
            self.close()
            if not (kept and may_repeat):
                raise
        except BaseException:
            self.close()
            raise
        try:
            return await self._once(data, until, False)
        except BaseException:
            self.close()
            raise

    async def _once(self, data: bytes, until: float,
                    kept: bool) -> typing.Tuple[Answer, bytes]:
        if not kept:
            self.close()
            self._connection = await AsyncConnection.open(self.address, self._context, until)
        connection = self._connection
        if connection is None:
            raise FobError("there is no connection")
        await connection.send(data, until)
        answer = Answer()
        while not answer.is_whole:
            answer.hear(await connection.receive(until))
        if not answer.keeps_alive:
            self.close()
        return answer, answer.take()


class AsyncEventStream:
    """As EventStream: `async for event in stream`. One task reads it; cancelling that task, or
    leaving the `async with`, ends the connection."""

    def __init__(self, address: Address, context: typing.Optional[ssl.SSLContext],
                 token: typing.Optional[str], target: str, query: Pairs, timeout: float) -> None:
        self._address, self._context, self._token = address, context, token
        self._timeout = timeout
        self._place = Resumption(target, query)
        self._connection: typing.Optional[AsyncConnection] = None
        self._answer, self._parser = Answer(), EventParser()
        self._ready: typing.List[Event] = []

    async def __aenter__(self) -> "AsyncEventStream":
        return self

    async def __aexit__(self, kind: typing.Optional[typing.Type[BaseException]],
                        error: typing.Optional[BaseException],
                        trace: typing.Optional[types.TracebackType]) -> None:
        self.close()

    def __aiter__(self) -> "AsyncEventStream":
        return self

    async def __anext__(self) -> Event:
        while not self._ready:
            refusal: typing.Optional[Problem] = None
            try:
                await self._read()
                continue
            except (ConnectionFailed, ConnectionCut, Malformed, TimedOut):
                pass
            except Problem as problem_:
                refusal = problem_
            except BaseException:
                self.close()
                raise
            self.close()
            await asyncio.sleep(self._place.delay(refusal))
        event = self._ready.pop(0)
        self._place.heard(self._parser, event)
        return event

    @property
    def last_id(self) -> typing.Optional[str]:
        """The id after which it goes on."""
        return self._place.last_id

    def close(self) -> None:
        """Ends the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _read(self) -> None:
        if self._connection is None:
            await self._open()
        connection = self._connection
        if connection is None:
            raise FobError("there is no connection")
        data = await connection.receive(time.monotonic() + SILENCE)
        if not data:
            raise ConnectionCut("the stream was cut")
        self._answer.feed(data)
        self._ready += events_in(self._answer, self._parser, self._place)

    async def _open(self) -> None:
        self._answer, self._parser = Answer(), EventParser()
        self._parser.last_id = self._place.last_id
        until = time.monotonic() + self._timeout
        self._connection = await AsyncConnection.open(self._address, self._context, until)
        await self._connection.send(encode(
            self._place.request(), self._address.authority, self._token, "text/event-stream"),
            until)


async def in_time(work: typing.Awaitable[T], until: float) -> T:
    """Raises TimedOut where it is not done until then, in seconds of time.monotonic."""
    try:
        return await asyncio.wait_for(work, max(0.0, until - time.monotonic()))
    except asyncio.TimeoutError as error:
        raise TimedOut("no answer in time") from error
