# Written by generate.py out of the OpenAPI document.
"""Types that several parts of the API have."""
import typing


class Moment(typing.TypedDict):
    boot: int
    instant: int
    wall: int


StatusLineCode = typing.Literal[
    "linkUp", "linkDown", "linkClosed", "linkNotUnderstood", "linkUnproved", "batteryGood",
    "batteryLow", "batteryEmpty", "batteryUnknown", "batteryNone", "serviceUp", "serviceDown",
    "serviceDamaged", "gpsGood", "gpsWeak", "gpsSearching", "gpsOff", "gpsNone", "gpsUnknown",
    "gpsNotAllowed"
]


Level = typing.Literal[
    "good", "warning", "error"
]


class _StatusLine(typing.TypedDict):
    code: StatusLineCode
    kind: typing.Literal["link", "battery", "service", "gps"]
    level: Level
    text: str


class StatusLine(_StatusLine, total=False):
    advice: str
    age: int
    detail: str
    locatedAge: int
    percent: int


class _Device(typing.TypedDict):
    device: str
    isBench: bool
    isLinked: bool
    isOwned: bool
    isPaired: bool
    isRemote: bool
    lines: typing.List[StatusLine]
    overall: Level


class Device(_Device, total=False):
    firmware: str
    heardAt: Moment
    isProved: bool


AlarmState = typing.Literal[
    "NO_EMERGENCY", "ALERT_COUNTDOWN", "EMERGENCY_SENDING", "EMERGENCY_SENT",
    "EMERGENCY_SENDING_FAILED", "EMERGENCY_ENDED"
]


class _Done(typing.TypedDict):
    durable: bool
    state: AlarmState


class Done(_Done, total=False):
    warning: str


FactsCause = typing.Literal[
    "clicks", "lateClicks", "held", "lateRelease", "raised", "moreClicks", "noRelease",
    "edgesMissing", "endUnheard", "pressedTwice", "clockBackwards", "unreadable",
    "clockDoubted", "heldAtBoot", "merged", "numberReused", "tooManyEvents", "tooManyKeychains"
]


FactsChange = typing.Literal[
    "added", "contactAdded", "contactEdited", "contactRemoved", "contactsImported", "created",
    "edited", "emailConfirmed", "ended", "erased", "keychainClaimed", "keychainDisconnected",
    "loggedIn", "loggedOut", "mailedPINUsed", "pinMailed", "pinSet", "protectionStarted",
    "protectionStopped", "reactivated", "removed", "setUp"
]


FactsDoubt = typing.Literal[
    "numbersLeap", "clockAhead", "clockBehind", "numberTwice", "disorder", "stampedAhead",
    "stampedLongBefore"
]


FactsEnd = typing.Literal[
    "click", "page", "alarm", "message", "checkIn", "time", "lost", "restart", "done"
]


FactsKind = typing.Literal[
    "raise", "update", "again", "closing", "message"
]


FactsRemark = typing.Literal[
    "outOfReach", "setAside", "byOneClick", "ackedAgain", "lineTooFast", "storeBehind",
    "byCable", "byLabel"
]


FactsType = typing.Literal[
    "event", "transition", "message", "reading", "slot", "state", "trigger", "survey",
    "account", "battery", "doubt", "lost", "remark", "failure", "checkIn", "series", "review",
    "exercise"
]


Facts = typing.TypedDict("Facts", {
    "ageUnknown": bool,
    "alike": int,
    "attempt": int,
    "cause": FactsCause,
    "change": FactsChange,
    "clicks": int,
    "contact": str,
    "covered": int,
    "device": str,
    "doubt": FactsDoubt,
    "end": FactsEnd,
    "event": str,
    "eventKind": int,
    "exercise": typing.Literal["breathing", "grounding"],
    "fell": bool,
    "flags": int,
    "from": AlarmState,
    "key": str,
    "kind": FactsKind,
    "last": str,
    "lines": int,
    "meaning": str,
    "microseconds": int,
    "outcome": typing.Literal["true", "false", "test"],
    "percent": int,
    "reason": str,
    "remark": FactsRemark,
    "review": int,
    "seconds": int,
    "sequence": int,
    "series": int,
    "slot": int,
    "source": typing.Literal["fall", "checkIn"],
    "state": AlarmState,
    "step": int,
    "to": AlarmState,
    "type": FactsType,
}, total=False)


IncidentEndReason = typing.Literal[
    "disarmed", "cancelled", "gaveWay", "trackingOver", "moved"
]


class IncidentMessageTime(typing.TypedDict):
    sequence: int
    # µs since 1970
    wall: int


class _IncidentPresse(typing.TypedDict):
    covers: int
    device: str
    event: str
    receivedAt: Moment


class IncidentPresse(_IncidentPresse, total=False):
    crc: int
    isAgeUnknown: bool
    isProved: bool
    isSetAside: bool


class IncidentSurvey(typing.TypedDict, total=False):
    fell: bool
    outcome: typing.Literal["true", "false", "test"]


class _Incident(typing.TypedDict):
    acknowledgedBy: typing.List[str]
    device: str
    id: str
    isBench: bool
    messages: int
    openedAt: Moment
    presses: typing.List[IncidentPresse]
    sounder: bool
    state: AlarmState


class Incident(_Incident, total=False):
    countdownEnds: Moment
    endReason: IncidentEndReason
    endedAt: Moment
    fixes: int
    furtherPresses: int
    isUnowned: bool
    lastFixAt: Moment
    lastMessageAt: Moment
    lastPressAt: Moment
    messageTimes: typing.List[IncidentMessageTime]
    outOfReach: int
    sentAt: Moment
    survey: IncidentSurvey
    surveyOpened: bool
    told: typing.List[str]
    trackingSince: Moment
    trigger: typing.Literal["fall", "checkIn"]


class _LogLine(typing.TypedDict):
    id: int
    name: str
    wall: int


class LogLine(_LogLine, total=False):
    contact: str
    detail: str
    device: str
    event: str
    facts: Facts
    incident: str
    link: str
    nextWall: int
    sink: str
    who: str


class Place(typing.TypedDict):
    latitude: int
    longitude: int
    name: str


Scope = typing.Literal[
    "observe", "operate", "administer", "feed"
]


class ProblemStored(typing.TypedDict):
    text: str
    version: int


class _Problem(typing.TypedDict):
    code: str
    detail: str
    status: int
    title: str
    type: str


class Problem(_Problem, total=False):
    field: str
    missing: typing.List[str]
    scope: Scope
    state: AlarmState
    stored: ProblemStored
    yours: str


class Profile(typing.TypedDict, total=False):
    country: str
    email: str
    language: str
    mayLocate: bool
    messageEvery: int
    mobile: str
    name: str
    places: typing.List[Place]
    possessive: str
    zone: str
