"""A keychain panic alarm for Python: the HTTP API, the control socket, and a bench for tests.

    import fob
    with fob.Bench() as bench:
        bench.keychain.press()
        bench.alarm.until("EMERGENCY_SENT")

fob.api has every operation of the HTTP API, fob.Client and fob.AsyncClient ask them."""
from . import api
from .aio import AsyncClient, AsyncEventStream
from .alarm import Alarm, Transition
from .bench import Bench
from .client import Client
from .control import Control, Subscription
from .errors import (ConnectionCut, ConnectionFailed, FobError, Malformed, Problem, ProcessFailed,
                     Refused, TimedOut, Unsupported)
from .events import Event, EventParser
from .keychain import Keychain
from .request import Request
from .stream import EventStream
from .wire import Wire

__all__ = [
    "Alarm", "AsyncClient", "AsyncEventStream", "Bench", "Client", "ConnectionCut",
    "ConnectionFailed", "Control", "Event", "EventParser", "EventStream", "FobError", "Keychain",
    "Malformed", "Problem", "ProcessFailed", "Refused", "Request", "Subscription", "TimedOut",
    "Transition", "Unsupported", "Wire", "api",
]
