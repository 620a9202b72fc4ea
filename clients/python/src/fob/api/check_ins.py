# Written by generate.py out of the OpenAPI document.
"""The part check-ins of the API."""
import typing

from ..request import Request
from .shared import Done


CheckInPhase = typing.Literal[
    "scheduled", "soon", "inTime", "overdue", "late"
]


class _CheckIn(typing.TypedDict):
    # µs since 1970
    answerableFrom: int
    description: str
    # µs since 1970
    due: int
    escalates: bool
    key: str
    phase: CheckInPhase
    series: int


class CheckIn(_CheckIn, total=False):
    device: str
    # µs since 1970
    runsOut: int


class CheckInSettings(typing.TypedDict):
    clock: typing.Literal["12", "24"]
    dateOrder: typing.Literal["ymd", "dmy", "mdy"]
    # final ones that are kept
    history: int
    # lines that a log view shows
    logShown: int
    mails: bool
    # minutes between two askings
    nagEvery: int
    # of each series in a list
    shown: int


class _PastCheckInBy(typing.TypedDict):
    kind: typing.Literal["click", "person"]


class PastCheckInBy(_PastCheckInBy, total=False):
    device: str
    event: str
    name: str


PastCheckInState = typing.Literal[
    "open", "completed", "escalated", "covered", "missed", "removed"
]


class _PastCheckIn(typing.TypedDict):
    # µs since 1970
    closedAt: int
    comment: str
    description: str
    # µs since 1970
    due: int
    escalates: bool
    key: str
    nagged: int
    series: int
    state: PastCheckInState


class PastCheckIn(_PastCheckIn, total=False):
    by: PastCheckInBy
    # µs since 1970
    completedAt: int
    incident: str


class _GetAnswer(typing.TypedDict):
    checkIns: typing.List[CheckIn]
    inTime: int
    # µs since 1970
    now: int
    overdue: int


class GetAnswer(_GetAnswer, total=False):
    next: str


class _GetHistoryAnswer(typing.TypedDict):
    entries: typing.List[PastCheckIn]
    total: int


class GetHistoryAnswer(_GetHistoryAnswer, total=False):
    next: str


class PatchBySeriesByKeyBody(typing.TypedDict, total=False):
    # as in 2026-11-25
    date: str
    description: str
    # µs since 1970
    due: int
    # minutes before it is due in which it can be answered; one that escalates: 60 at the most; 0 of
    # a new series
    lead: int
    pin: str
    # as in 09:00, in the account's zone
    time: str


class DeleteBySeriesByKeyBody(typing.TypedDict, total=False):
    pin: str


class PatchBySeriesByKeyCommentBody(typing.TypedDict):
    comment: str


class PostBySeriesByKeyCompleteBody(typing.TypedDict, total=False):
    comment: str


def get(
    *,
    view: typing.Optional[str] = None,
    search: typing.Optional[str] = None,
    state: typing.Optional[str] = None,
    after: typing.Optional[str] = None,
    limit: typing.Optional[int] = None,
) -> "Request[GetAnswer]":
    """What is asked and what will be, oldest first."""
    return Request(
        "GET",
        "/v1/check-ins",
        "json",
        query=(("view", view), ("search", search), ("state", state), ("after", after), ("limit",
            limit),),
    )


def get_history(
    *,
    before: typing.Optional[str] = None,
    limit: typing.Optional[int] = None,
) -> "Request[GetHistoryAnswer]":
    """What became of what was asked, latest first."""
    return Request(
        "GET",
        "/v1/check-ins/history",
        "json",
        query=(("before", before), ("limit", limit),),
    )


def get_settings() -> "Request[CheckInSettings]":
    """How often is asked again, and how much is kept and shown."""
    return Request(
        "GET",
        "/v1/check-ins/settings",
        "json",
    )


def put_settings(
    body: CheckInSettings,
) -> "Request[CheckInSettings]":
    """Replaces the settings."""
    return Request(
        "PUT",
        "/v1/check-ins/settings",
        "json",
        body=body,
    )


def patch_by_series_by_key(
    series: int,
    key: str,
    body: PatchBySeriesByKeyBody,
) -> "Request[Done]":
    """Changes this one alone, its moment by due, or by date and time; it needs the PIN where
    its series escalates."""
    return Request(
        "PATCH",
        Request.path("/v1/check-ins/{series}/{key}", series=series, key=key),
        "json",
        body=body,
    )


def delete_by_series_by_key(
    series: int,
    key: str,
    body: typing.Optional[DeleteBySeriesByKeyBody] = None,
) -> "Request[Done]":
    """Takes this one alone out; it needs the PIN where its series escalates."""
    return Request(
        "DELETE",
        Request.path("/v1/check-ins/{series}/{key}", series=series, key=key),
        "json",
        body=body,
    )


def patch_by_series_by_key_comment(
    series: int,
    key: str,
    body: PatchBySeriesByKeyCommentBody,
) -> "Request[Done]":
    """Replaces the comment of one in the history."""
    return Request(
        "PATCH",
        Request.path("/v1/check-ins/{series}/{key}/comment", series=series, key=key),
        "json",
        body=body,
    )


def post_by_series_by_key_complete(
    series: int,
    key: str,
    body: typing.Optional[PostBySeriesByKeyCompleteBody] = None,
) -> "Request[Done]":
    """All is well: answers a check-in."""
    return Request(
        "POST",
        Request.path("/v1/check-ins/{series}/{key}/complete", series=series, key=key),
        "json",
        body=body,
    )


def post_by_series_by_key_restore(
    series: int,
    key: str,
) -> "Request[Done]":
    """Asks an answered one again; comment and time are lost."""
    return Request(
        "POST",
        Request.path("/v1/check-ins/{series}/{key}/restore", series=series, key=key),
        "json",
    )
