# Written by generate.py out of the OpenAPI document.
"""The part status of the API."""
import typing

from ..request import Request
from .shared import AlarmState
from .shared import Device
from .shared import Incident
from .shared import Level
from .shared import Moment
from .shared import StatusLine


class _CheckInStatusNext(typing.TypedDict):
    description: str
    # µs since 1970
    due: int
    key: str
    series: int


class CheckInStatusNext(_CheckInStatusNext, total=False):
    # µs since 1970
    calledAt: int


class _CheckInStatus(typing.TypedDict):
    inTime: int
    overdue: int
    raisesNothing: bool
    series: int


class CheckInStatus(_CheckInStatus, total=False):
    # µs since 1970
    calledAt: int
    next: CheckInStatusNext


class StatusAccount(typing.TypedDict):
    country: str
    emergencyNumber: str
    exists: bool
    hasPIN: bool
    isEmailConfirmed: bool
    isEmergencyNumberKnown: bool
    isLoggedIn: bool
    isProtecting: bool
    isSetUp: bool
    language: str
    missingForProtection: typing.List[str]
    zone: str


StatusConcern = typing.Literal[
    "alarm", "storage", "damage", "noAccount", "loggedOut", "noKeychain", "unproved", "noKey",
    "link", "checkIn", "checkInsRaiseNothing", "noContacts", "unreachable", "battery", "gps",
    "doubted", "notSetUp", "notProtecting", "protectionLacks", "unconfirmedEmail", "noPIN"
]


class _StatusLink(typing.TypedDict):
    device: str
    heardAt: Moment


class StatusLink(_StatusLink, total=False):
    batteryPercent: int


class _Status(typing.TypedDict):
    account: StatusAccount
    checkIns: CheckInStatus
    concerns: typing.List[StatusConcern]
    contacts: int
    devices: typing.List[Device]
    lines: typing.List[StatusLine]
    links: typing.List[StatusLink]
    now: Moment
    overall: Level
    profile: typing.Literal["literal", "guarded"]
    state: AlarmState
    summary: str
    unreachable: typing.List[str]
    warnings: typing.List[str]


class Status(_Status, total=False):
    checked: str
    checkedAt: Moment
    incident: Incident
    nextMessage: Moment
    storageFailure: str


def get() -> "Request[Status]":
    """What is true now."""
    return Request(
        "GET",
        "/v1/status",
        "json",
    )


def post_refresh() -> "Request[Status]":
    """Asks the keychains again; what does not answer in time is an error."""
    return Request(
        "POST",
        "/v1/status/refresh",
        "json",
    )
