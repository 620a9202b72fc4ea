"""What may go wrong; every error of this package is a FobError."""
import typing


class FobError(Exception):
    """Something failed; its text says what, on what, and why."""


class Problem(FobError):
    """The API refused: an RFC 9457 problem.

    status is HTTP's, code names the problem for programs, detail says it for people. more has what
    else the problem says, such as field or scope. retry_after: seconds until it is worth asking
    again, where the server says so.
    """

    def __init__(self, status: int, code: str, detail: str,
                 more: typing.Optional[typing.Dict[str, typing.Any]] = None,
                 retry_after: typing.Optional[float] = None) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status, self.code, self.detail = status, code, detail
        self.more: typing.Dict[str, typing.Any] = more or {}
        self.retry_after = retry_after


class ConnectionFailed(FobError):
    """There is no connection: refused, no such host or file, or TLS that does not verify."""


class ConnectionCut(FobError):
    """The connection ended before the answer did. What was asked may be done, or may not."""


class TimedOut(FobError):
    """It did not come in time. What was asked may be done, or may not."""


class Malformed(FobError):
    """What came is no HTTP, no JSON, or more than the limits allow."""


class Refused(FobError):
    """A control socket answered `ok: false`; answer is all that it said."""

    def __init__(self, message: str, answer: typing.Dict[str, typing.Any]) -> None:
        super().__init__(message)
        self.answer = answer


class ProcessFailed(FobError):
    """A fob did not start, or ended when it should not; its last lines are in the text."""


class Unsupported(FobError):
    """This keychain cannot do that: it is a real one, or one in QEMU."""
