"""A client of a control socket: a JSON object a text line in, one out, or a stream."""
import json
import os
import pathlib
import socket
import time
import types
import typing

from .client import remaining
from .errors import ConnectionCut, ConnectionFailed, Malformed, Refused, TimedOut
from .parsing import parsed

Answer = typing.Dict[str, typing.Any]
# Bytes that a line of an answer may have.
LINE_LIMIT = 16 * 1024 * 1024


class Lines:
    """JSON objects over one connection. Not for two threads at once, but for close."""

    def __init__(self, path: pathlib.Path, until: float) -> None:
        self._buffer = bytearray()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(remaining(until))
            self._socket.connect(os.fspath(path))
        except (socket.timeout, TimeoutError) as error:
            self._socket.close()
            raise TimedOut(f"{path} does not answer") from error
        except OSError as error:
            self._socket.close()
            raise ConnectionFailed(f"{path}: {error.strerror or error}") from error

    def send(self, request: Answer, until: float) -> None:
        try:
            self._socket.settimeout(remaining(until))
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except (socket.timeout, TimeoutError) as error:
            raise TimedOut("the request was not taken in time") from error
        except OSError as error:
            raise ConnectionCut(f"the control socket was closed: {error}") from error

    def receive(self, until: typing.Optional[float]) -> Answer:
        """The next object."""
        while b"\n" not in self._buffer:
            if len(self._buffer) > LINE_LIMIT:
                raise Malformed(f"an answer is longer than {LINE_LIMIT} bytes")
            try:
                self._socket.settimeout(None if until is None else remaining(until))
                data = self._socket.recv(65536)
            except (socket.timeout, TimeoutError) as error:
                raise TimedOut("the control socket has not answered in time") from error
            except OSError as error:
                raise ConnectionCut(f"the control socket was closed: {error}") from error
            if not data:
                raise ConnectionCut("the control socket was closed before an answer")
            self._buffer += data
        end = self._buffer.index(b"\n")
        line = bytes(self._buffer[:end])
        del self._buffer[:end + 1]
        said = parsed(line, "the answer of the control socket")
        if not isinstance(said, dict):
            raise Malformed("the control socket has answered with no object")
        return said

    def shut(self) -> None:
        """Wakes who receives."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        self._socket.close()


class Subscription:
    """What a control socket tells, as it happens: `for told in subscription`.

    One thread reads. shut may be called by any, and ends the iteration; so does the end of fob.
    """

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, kind: typing.Optional[typing.Type[BaseException]],
                 error: typing.Optional[BaseException],
                 trace: typing.Optional[types.TracebackType]) -> None:
        self.close()

    def __iter__(self) -> typing.Iterator[Answer]:
        while True:
            try:
                yield self._lines.receive(None)
            except ConnectionCut:
                return

    def next(self, within: float) -> Answer:
        """The next object. Raises TimedOut after so many seconds."""
        return self._lines.receive(time.monotonic() + within)

    def shut(self) -> None:
        """Ends the iteration, in whichever thread it is."""
        self._lines.shut()

    def close(self) -> None:
        """To be called by the thread that reads, or once it has ended."""
        self._lines.close()


class Control:
    """A control socket: `control.ask("press", hold_ms=500)`.

    Each request has a connection of its own, so that threads may share it, and so that one that
    waits holds up no other. timeout: seconds for one request.
    """

    def __init__(self, path: typing.Union[str, "os.PathLike[str]"], *,
                 timeout: float = 20.0) -> None:
        self.path = pathlib.Path(path)
        self._timeout = timeout

    def ask(self, do: str, fields: typing.Optional[Answer] = None, *,
            timeout: typing.Optional[float] = None, **more: typing.Any) -> Answer:
        """The answer to {"do": do, …}; fields is for names that Python has for itself, as `for`.

        Raises Refused, ConnectionFailed, ConnectionCut, TimedOut or Malformed.
        """
        until = time.monotonic() + (self._timeout if timeout is None else timeout)
        lines = Lines(self.path, until)
        try:
            return self._asked(lines, {"do": do, **(fields or {}), **more}, until)
        finally:
            lines.close()

    def rows(self, do: str, **fields: typing.Any) -> typing.List[Answer]:
        """A list as a whole, all its pages put together."""
        found: typing.List[Answer] = []
        answer = self.ask(do, fields)
        found += answer["rows"]
        while "more" in answer:
            answer = self.ask(do, {**fields, "after": answer["more"]})
            found += answer["rows"]
        return found

    def subscribe(self, do: str = "subscribe", **fields: typing.Any) -> Subscription:
        """A stream, which has begun when this returns: nothing that happens later is missed."""
        until = time.monotonic() + self._timeout
        lines = Lines(self.path, until)
        try:
            self._asked(lines, {"do": do, **fields}, until)
        except BaseException:
            lines.close()
            raise
        return Subscription(lines)

    @staticmethod
    def _asked(lines: Lines, request: Answer, until: float) -> Answer:
        lines.send(request, until)
        answer = lines.receive(until)
        if answer.get("ok") is False:
            raise Refused(f"{request['do']}: {answer.get('error', 'refused')}", answer)
        return answer
