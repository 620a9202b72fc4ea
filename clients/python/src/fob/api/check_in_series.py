# Written by generate.py out of the OpenAPI document.
"""The part check-in-series of the API."""
import typing

from ..request import Request
from .shared import Done


class _CheckInRuleDays(typing.TypedDict):
    every: int
    kind: typing.Literal["days"]


class CheckInRuleDays(_CheckInRuleDays, total=False):
    # 1 where it is not said
    hoursApart: int
    # 1 where it is not said
    times: int


CheckInRuleMonthsOrdinal = typing.Literal[
    "first", "second", "third", "fourth", "last", "every"
]


CheckInRuleMonthsWeekday = typing.Literal[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "weekdays",
    "weekend", "day"
]


class _CheckInRuleMonths(typing.TypedDict):
    every: int
    kind: typing.Literal["months"]


class CheckInRuleMonths(_CheckInRuleMonths, total=False):
    day: int
    ordinal: CheckInRuleMonthsOrdinal
    weekday: CheckInRuleMonthsWeekday


class CheckInRuleOnce(typing.TypedDict):
    kind: typing.Literal["once"]


CheckInRuleWeeksWeekday = typing.Literal[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"
]


class CheckInRuleWeeks(typing.TypedDict):
    every: int
    kind: typing.Literal["weeks"]
    weekdays: typing.List[CheckInRuleWeeksWeekday]


class _CheckInRuleYears(typing.TypedDict):
    every: int
    kind: typing.Literal["years"]
    months: typing.List[int]


class CheckInRuleYears(_CheckInRuleYears, total=False):
    day: int
    ordinal: CheckInRuleMonthsOrdinal
    weekday: CheckInRuleMonthsWeekday


CheckInRule = typing.Union[
    CheckInRuleDays,
    CheckInRuleMonths,
    CheckInRuleOnce,
    CheckInRuleWeeks,
    CheckInRuleYears,
]


class _CheckInDraft(typing.TypedDict):
    description: str
    rule: CheckInRule
    # as in 2026-11-25
    start: str
    # as in 09:00, in the account's zone
    time: str


class CheckInDraft(_CheckInDraft, total=False):
    device: typing.Union[str, None]
    end: typing.Union[str, None]
    # true where a new series does not say it
    escalates: bool
    # minutes before it is due in which it can be answered; one that escalates: 60 at the most; 0 of
    # a new series
    lead: int
    # minutes from due to the alarm's countdown, where it escalates; 20 of a new series
    limit: int
    pin: str


class CheckInEdit(typing.TypedDict, total=False):
    description: str
    device: typing.Union[str, None]
    end: typing.Union[str, None]
    # true where a new series does not say it
    escalates: bool
    # minutes before it is due in which it can be answered; one that escalates: 60 at the most; 0 of
    # a new series
    lead: int
    # minutes from due to the alarm's countdown, where it escalates; 20 of a new series
    limit: int
    pin: str
    rule: CheckInRule
    # as in 2026-11-25
    start: str
    # as in 09:00, in the account's zone
    time: str


class CheckInPreview(typing.TypedDict, total=False):
    description: str
    device: typing.Union[str, None]
    end: typing.Union[str, None]
    # true where a new series does not say it
    escalates: bool
    # minutes before it is due in which it can be answered; one that escalates: 60 at the most; 0 of
    # a new series
    lead: int
    # minutes from due to the alarm's countdown, where it escalates; 20 of a new series
    limit: int
    pin: str
    rule: CheckInRule
    series: int
    # as in 2026-11-25
    start: str
    # as in 09:00, in the account's zone
    time: str


class _CheckInReactivation(typing.TypedDict):
    # as in 2026-11-25
    start: str


class CheckInReactivation(_CheckInReactivation, total=False):
    description: str
    device: typing.Union[str, None]
    end: typing.Union[str, None]
    # true where a new series does not say it
    escalates: bool
    # minutes before it is due in which it can be answered; one that escalates: 60 at the most; 0 of
    # a new series
    lead: int
    # minutes from due to the alarm's countdown, where it escalates; 20 of a new series
    limit: int
    pin: str
    rule: CheckInRule
    # as in 09:00, in the account's zone
    time: str


class _CheckInSeriesException(typing.TypedDict):
    isAsked: bool
    isRemoved: bool
    key: str


class CheckInSeriesException(_CheckInSeriesException, total=False):
    description: str
    # µs since 1970
    due: int
    # minutes before it is due in which it can be answered; one that escalates: 60 at the most; 0 of
    # a new series
    lead: int


class _CheckInSeries(typing.TypedDict):
    # µs since 1970
    changedAt: int
    # µs since 1970
    createdAt: int
    description: str
    escalates: bool
    exceptions: typing.List[CheckInSeriesException]
    hasEnded: bool
    id: int
    # minutes before it is due in which it can be answered; one that escalates: 60 at the most; 0 of
    # a new series
    lead: int
    # minutes from due to the alarm's countdown, where it escalates; 20 of a new series
    limit: int
    rule: CheckInRule
    # as in 2026-11-25
    start: str
    # as in 09:00, in the account's zone
    time: str


class CheckInSeries(_CheckInSeries, total=False):
    device: str
    # as in 2026-11-25
    end: str


class PostPreviewAnswerMoment(typing.TypedDict):
    # µs since 1970
    due: int
    key: str


class PostPreviewAnswer(typing.TypedDict):
    moments: typing.List[PostPreviewAnswerMoment]


class _GetSeriesAnswer(typing.TypedDict):
    series: typing.List[CheckInSeries]
    total: int


class GetSeriesAnswer(_GetSeriesAnswer, total=False):
    next: int


class DeleteSeriesByIdBody(typing.TypedDict, total=False):
    pin: str


def post_preview(
    body: CheckInPreview,
) -> "Request[PostPreviewAnswer]":
    """When a draft would fall due, or a series after an edit; changes nothing."""
    return Request(
        "POST",
        "/v1/check-ins/preview",
        "json",
        body=body,
    )


def get_series(
    *,
    after: typing.Optional[int] = None,
    limit: typing.Optional[int] = None,
) -> "Request[GetSeriesAnswer]":
    """Every series of check-ins, by id."""
    return Request(
        "GET",
        "/v1/check-ins/series",
        "json",
        query=(("after", after), ("limit", limit),),
    )


def post_series(
    body: CheckInDraft,
) -> "Request[CheckInSeries]":
    """Adds a series; after set-up one that escalates needs the PIN."""
    return Request(
        "POST",
        "/v1/check-ins/series",
        "json",
        body=body,
    )


def get_series_by_id(
    id: int,
) -> "Request[CheckInSeries]":
    """One series."""
    return Request(
        "GET",
        Request.path("/v1/check-ins/series/{id}", id=id),
        "json",
    )


def patch_series_by_id(
    id: int,
    body: CheckInEdit,
) -> "Request[CheckInSeries]":
    """Edits a series; it needs the PIN where it escalates before or after that."""
    return Request(
        "PATCH",
        Request.path("/v1/check-ins/series/{id}", id=id),
        "json",
        body=body,
    )


def delete_series_by_id(
    id: int,
    body: typing.Optional[DeleteSeriesByIdBody] = None,
) -> "Request[Done]":
    """Removes a series; its history stays."""
    return Request(
        "DELETE",
        Request.path("/v1/check-ins/series/{id}", id=id),
        "json",
        body=body,
    )


def post_series_by_id_reactivate(
    id: int,
    body: CheckInReactivation,
) -> "Request[CheckInSeries]":
    """Asks an ended series again, from a new first day on."""
    return Request(
        "POST",
        Request.path("/v1/check-ins/series/{id}/reactivate", id=id),
        "json",
        body=body,
    )
