"""A client of the HTTP API that blocks."""
import select
import socket
import ssl
import threading
import time
import types
import typing

from .address import Address
from .errors import ConnectionCut, ConnectionFailed, FobError, Malformed, TimedOut
from .http import Answer, decode, encode
from .request import Request
from .stream import EventStream

T = typing.TypeVar("T")


class Connection:
    """One connection, for one request after the other. Not for two threads at once."""

    def __init__(self, address: Address, context: typing.Optional[ssl.SSLContext],
                 until: float) -> None:
        try:
            self.socket: socket.socket = socket.create_connection(
                (address.host, address.port), remaining(until))
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if context is not None:
                self.socket = context.wrap_socket(self.socket, server_hostname=address.host)
        except (socket.timeout, TimeoutError) as error:
            raise TimedOut(f"{address.authority} does not answer") from error
        except OSError as error:
            raise ConnectionFailed(f"{address.authority}: {error}") from error

    @property
    def is_stale(self) -> bool:
        """Whether the other end has closed it, or has said what nobody asked for."""
        waiting = select.poll()
        waiting.register(self.socket, select.POLLIN)
        return bool(waiting.poll(0))

    def send(self, data: bytes, until: float) -> None:
        try:
            self.socket.settimeout(remaining(until))
            self.socket.sendall(data)
        except (socket.timeout, TimeoutError) as error:
            raise TimedOut("the request was not taken in time") from error
        except OSError as error:
            raise ConnectionCut(f"the connection ended while the request was sent: {error}"
                                ) from error

    def receive(self, until: typing.Optional[float]) -> bytes:
        """Empty where the other end has closed it."""
        try:
            self.socket.settimeout(None if until is None else remaining(until))
            return self.socket.recv(65536)
        except (socket.timeout, TimeoutError) as error:
            raise TimedOut("no answer in time") from error
        except OSError as error:
            raise ConnectionCut(f"the connection ended before an answer: {error}") from error

    def close(self) -> None:
        self.socket.close()


class Client:
    """The HTTP API of one core: `client.ask(fob.api.status.get())`.

    url is as in http://127.0.0.1:8787; token is what fob token create prints, or what the file
    admin-token of the state folder says. timeout: seconds for one request, from its start to the
    last byte of its answer. ca: a PEM file to trust instead of the system's.

    It keeps one connection. Threads may share it: their requests go one after the other. Proxies of
    the environment are not asked. Nothing is sent twice, but for a GET whose kept connection the
    core has closed.
    """

    def __init__(self, url: str, token: typing.Optional[str] = None, *, timeout: float = 20.0,
                 ca: typing.Optional[str] = None) -> None:
        self.address = Address.of(url)
        self._token, self._timeout = token, timeout
        self._context = self.address.context(ca)
        self._connection: typing.Optional[Connection] = None
        self._lock = threading.Lock()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, kind: typing.Optional[typing.Type[BaseException]],
                 error: typing.Optional[BaseException],
                 trace: typing.Optional[types.TracebackType]) -> None:
        self.close()

    def ask(self, request: "Request[T]", *, timeout: typing.Optional[float] = None) -> T:
        """The answer.

        Raises Problem where the core refuses, ConnectionFailed, ConnectionCut, TimedOut or
        Malformed: then whether it was done is not known, unless there was no connection.
        """
        until = time.monotonic() + (self._timeout if timeout is None else timeout)
        data = encode(request, self.address.authority, self._token)
        with self._lock:
            answer, body = self._exchange(data, until, request.method == "GET")
        return typing.cast(T, decode(request, answer, body))

    def events(self, *, after: typing.Optional[int] = None,
               device: typing.Optional[str] = None,
               incident: typing.Optional[str] = None) -> EventStream:
        """The log as it grows; see EventStream. Each entry is durable when it comes.

        after: those with a greater id, 0 for all that are kept. The event `status` comes first
        where nothing is resumed.
        """
        query = (("after", after), ("device", device), ("incident", incident))
        return self.stream("/v1/events", query)

    def stream(self, target: str, query: typing.Tuple[
            typing.Tuple[str, typing.Union[str, int, None]], ...] = ()) -> EventStream:
        """Any stream of the API, on a connection of its own."""
        return EventStream(self.address, self._context, self._token, target, query, self._timeout)

    def close(self) -> None:
        """Ends the connection; the next request makes another one."""
        with self._lock:
            self._drop()

    def _exchange(self, data: bytes, until: float,
                  may_repeat: bool) -> typing.Tuple[Answer, bytes]:
        kept = self._connection is not None and not self._connection.is_stale
        if not kept:
            self._drop()
            self._connection = Connection(self.address, self._context, until)
        try:
            return self._once(data, until)
        except ConnectionCut:
            self._drop()
            if not (kept and may_repeat):
                raise
        except BaseException:
            self._drop()
            raise
        self._connection = Connection(self.address, self._context, until)
        try:
            return self._once(data, until)
        except BaseException:
            self._drop()
            raise

    def _once(self, data: bytes, until: float) -> typing.Tuple[Answer, bytes]:
        connection = self._connection
        if connection is None:
            raise FobError("there is no connection")
        connection.send(data, until)
        answer = Answer()
        while not answer.is_whole:
            answer.hear(connection.receive(until))
        if not answer.keeps_alive:
            self._drop()
        return answer, answer.take()

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def remaining(until: float) -> float:
    """Seconds until then. Raises TimedOut where there are none."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimedOut("no answer in time")
    return seconds
