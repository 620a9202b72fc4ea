"""HTTP/1.1, without a socket: a request as bytes, and answers out of bytes, however they are cut.

The client and the asyncio client share it, so that both read the same answers the same way."""
import json
import typing

from .errors import ConnectionCut, Malformed, Problem
from .parsing import parsed
from .request import Request

# Bytes that an answer's head, or a line of its chunks, may have.
HEAD_LIMIT = 64 * 1024
# Bytes that the body of an answer may have; a stream has no limit.
BODY_LIMIT = 64 * 1024 * 1024

Headers = typing.Dict[str, str]


def encode(request: "Request[typing.Any]", host: str, token: typing.Optional[str],
           accept: str = "*/*") -> bytes:
    """The request as it goes over the connection. Raises ValueError for a header of two lines."""
    body = b"" if request.body is None else json.dumps(request.body).encode()
    fields = [("Host", host), ("Accept", accept)]
    if token is not None:
        fields.append(("Authorization", f"Bearer {token}"))
    if request.body is not None:
        fields.append(("Content-Type", "application/json"))
    if body or request.method not in ("GET", "DELETE"):
        fields.append(("Content-Length", str(len(body))))
    fields += [(name, str(value)) for name, value in request.headers if value is not None]
    lines = [f"{request.method} {request.whole_target} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in fields]
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("a header has a line break")
    return "\r\n".join([*lines, "", ""]).encode("utf-8") + body


class Answer:
    """One answer: feed it what comes; status and headers (by lower-case names) are there once
    has_head, the body comes out of take until is_whole."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: Headers = {}
        self.has_head = self.is_whole = self.keeps_alive = False
        self._buffer = bytearray()
        self._body = bytearray()
        # Bytes of the body or of this chunk that are still to come; None: until the end.
        self._left: typing.Optional[int] = 0
        self._chunk = "none"

    def feed(self, data: bytes) -> None:
        """Raises Malformed for what is no HTTP."""
        self._buffer += data
        while not self.has_head and self._read_head():
            pass
        if self.has_head and not self.is_whole:
            if self._chunk == "none":
                self._read_plain()
            else:
                while not self.is_whole and self._read_chunked():
                    pass
        if self.is_whole and self._buffer:
            # What nobody asked for: the next answer would be taken for another's.
            self.keeps_alive = False

    def end(self) -> None:
        """The connection has ended. Raises ConnectionCut where the answer is not whole."""
        if self.has_head and self._chunk == "none" and self._left is None:
            self.is_whole = True
        if not self.is_whole:
            raise ConnectionCut("the connection ended in the middle of an answer" if self._began
                                else "the connection ended before an answer")

    def hear(self, came: bytes) -> None:
        """What has come of a body that is held until it is whole; nothing: the connection has
        ended. Raises what feed, end and check_size raise."""
        if came:
            self.feed(came)
            self.check_size()
        else:
            self.end()

    def check_size(self) -> None:
        """Raises Malformed where more waits than a body may have."""
        if len(self._body) > BODY_LIMIT:
            raise Malformed(f"an answer is longer than {BODY_LIMIT} bytes")

    def take(self) -> bytes:
        """What of the body has come since."""
        data = bytes(self._body)
        self._body.clear()
        return data

    @property
    def _began(self) -> bool:
        return self.has_head or bool(self._buffer)

    def _read_head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > HEAD_LIMIT:
                raise Malformed(f"the head of an answer is longer than {HEAD_LIMIT} bytes")
            return False
        lines = self._buffer[:end].decode("latin-1").split("\r\n")
        del self._buffer[:end + 4]
        words = lines[0].split(" ", 2)
        if not (len(words) >= 2 and words[0] in ("HTTP/1.1", "HTTP/1.0")
                and len(words[1]) == 3 and words[1].isascii() and words[1].isdigit()):
            raise Malformed("what answers does not speak HTTP/1.1")
        self.status = int(words[1])
        self.headers = {}
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if not colon:
                raise Malformed("a header of an answer has no colon")
            self.headers[name.strip().lower()] = value.strip()
        if 100 <= self.status < 200:
            return True
        self._frame(words[0])
        self.has_head = True
        return False

    def _frame(self, version: str) -> None:
        connection = self.headers.get("connection", "").lower()
        self.keeps_alive = version == "HTTP/1.1" and "close" not in connection
        length = self.headers.get("content-length")
        if self.status in (204, 304):
            self._left = 0
        elif "chunked" in self.headers.get("transfer-encoding", "").lower():
            self._chunk = "size"
        elif length is None:
            self._left = None
            self.keeps_alive = False
        elif length.isascii() and length.isdigit():
            self._left = int(length)
        else:
            raise Malformed("the length of an answer is no number")
        self.is_whole = self._left == 0 and self._chunk == "none"

    def _read_plain(self) -> None:
        size = len(self._buffer) if self._left is None else min(self._left, len(self._buffer))
        self._move(size)
        if self._left is not None:
            self._left -= size
            self.is_whole = self._left == 0

    def _read_chunked(self) -> bool:
        if self._chunk == "data":
            size = min(self._left or 0, len(self._buffer))
            self._move(size)
            self._left = (self._left or 0) - size
            if self._left == 0:
                self._chunk = "gap"
            return size > 0 and self._chunk == "gap"
        end = self._buffer.find(b"\r\n")
        if end < 0:
            if len(self._buffer) > HEAD_LIMIT:
                raise Malformed("a chunk of an answer has no size")
            return False
        line = bytes(self._buffer[:end])
        del self._buffer[:end + 2]
        if self._chunk == "gap":
            if line:
                raise Malformed("a chunk of an answer is longer than it says")
            self._chunk = "size"
        elif self._chunk == "trailer":
            self.is_whole = not line
        else:
            self._left = chunk_size(line)
            self._chunk = "data" if self._left else "trailer"
        return True

    def _move(self, size: int) -> None:
        self._body += self._buffer[:size]
        del self._buffer[:size]


def chunk_size(line: bytes) -> int:
    digits = line.split(b";")[0].strip()
    if not digits or len(digits) > 8 or digits.strip(b"0123456789abcdefABCDEF"):
        raise Malformed("the size of a chunk is no number")
    return int(digits, 16)


def is_success(status: int) -> bool:
    return 200 <= status < 300


def decode(request: "Request[typing.Any]", answer: Answer, body: bytes) -> typing.Any:
    """The answer in its form. Raises Problem where it is a refusal, Malformed where it is not what
    its type says."""
    if not is_success(answer.status):
        raise problem(answer, body)
    if request.form == "json":
        return parsed(body, f"{request.method} {request.target}")
    if request.form == "text":
        return body.decode("utf-8", "replace")
    return body if request.form == "bytes" else None


def problem(answer: Answer, body: bytes) -> Problem:
    """The refusal, also where a proxy in between has answered with something else."""
    wait = answer.headers.get("retry-after", "")
    seconds = float(wait) if wait.isascii() and wait.isdigit() else None
    try:
        said = parsed(body, "the refusal")
    except Malformed:
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("code"), str):
        return Problem(answer.status, "noProblem", "the answer is no problem of fob",
                       retry_after=seconds)
    known = {"status", "code", "detail", "title", "type"}
    more = {name: value for name, value in said.items() if name not in known}
    return Problem(answer.status, said["code"], str(said.get("detail", "")), more, seconds)
