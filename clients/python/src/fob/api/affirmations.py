# Written by generate.py out of the OpenAPI document.
"""The part affirmations of the API."""
import typing

from ..request import Request
from .shared import Done


class GetAnswerAffirmation(typing.TypedDict):
    id: int
    text: str


GetAnswerScheduleWeekday = typing.Literal[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"
]


class _GetAnswerSchedule(typing.TypedDict):
    every: typing.Literal["never", "weekly", "daily", "hourly"]


class GetAnswerSchedule(_GetAnswerSchedule, total=False):
    # of weekly and daily alone, in the account's zone
    hour: int
    # of all but never
    minute: int
    # of weekly alone
    weekday: GetAnswerScheduleWeekday


class _GetAnswer(typing.TypedDict):
    affirmations: typing.List[GetAnswerAffirmation]
    schedule: GetAnswerSchedule


class GetAnswer(_GetAnswer, total=False):
    current: int


class PostBody(typing.TypedDict):
    text: str


class PutCurrentBody(typing.TypedDict, total=False):
    go: typing.Literal["next", "previous"]
    id: int


class PutMantrasTxtBody(typing.TypedDict):
    lines: typing.List[str]


class _PutScheduleBody(typing.TypedDict):
    every: typing.Literal["never", "weekly", "daily", "hourly"]


class PutScheduleBody(_PutScheduleBody, total=False):
    # of weekly and daily alone, in the account's zone
    hour: int
    # of all but never
    minute: int
    # of weekly alone
    weekday: GetAnswerScheduleWeekday


def get() -> "Request[GetAnswer]":
    """The owner's lines, the oldest first, and when they are reminded."""
    return Request(
        "GET",
        "/v1/affirmations",
        "json",
    )


def post(
    body: PostBody,
) -> "Request[Done]":
    """Adds a line, which becomes the current one."""
    return Request(
        "POST",
        "/v1/affirmations",
        "json",
        body=body,
    )


def put_current(
    body: PutCurrentBody,
) -> "Request[Done]":
    """Shows another line: one by its id, or the next or previous one, round and round."""
    return Request(
        "PUT",
        "/v1/affirmations/current",
        "json",
        body=body,
    )


def get_mantras_txt() -> "Request[str]":
    """The lines as a file, one a line."""
    return Request(
        "GET",
        "/v1/affirmations/mantras.txt",
        "text",
    )


def put_mantras_txt(
    body: PutMantrasTxtBody,
) -> "Request[Done]":
    """Replaces all lines by those of a file in UTF-8, or none; the first becomes current."""
    return Request(
        "PUT",
        "/v1/affirmations/mantras.txt",
        "json",
        body=body,
    )


def put_schedule(
    body: PutScheduleBody,
) -> "Request[Done]":
    """When the owner is reminded of the current line, by the log entry affirmationDue."""
    return Request(
        "PUT",
        "/v1/affirmations/schedule",
        "json",
        body=body,
    )


def delete_by_id(
    id: int,
) -> "Request[Done]":
    """Deletes a line; a supplied one does not come back."""
    return Request(
        "DELETE",
        Request.path("/v1/affirmations/{id}", id=id),
        "json",
    )
