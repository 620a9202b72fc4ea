# Written by generate.py out of the OpenAPI document.
"""The part reviews of the API."""
import typing

from ..request import Request
from .shared import Done


class ReviewAnswer(typing.TypedDict):
    text: str
    version: int


class ReviewStep(typing.TypedDict):
    info: str
    # it is as fob comes with it
    isStandard: bool
    key: str
    label: str
    question: str


class ReviewVersion(typing.TypedDict):
    # µs since 1970
    savedAt: int
    step: int
    text: str


class _Review(typing.TypedDict):
    answers: typing.List[ReviewAnswer]
    # µs since 1970
    changedAt: int
    # µs since 1970
    createdAt: int
    # on which it was begun, in the account's zone
    day: str
    id: int
    state: typing.Literal["inProgress", "completed"]
    steps: typing.List[ReviewStep]
    # steps without an answer
    unanswered: typing.List[int]
    versions: typing.List[ReviewVersion]


class Review(_Review, total=False):
    # µs since 1970
    completedAt: int
    incident: str


class _ReviewSummary(typing.TypedDict):
    # µs since 1970
    changedAt: int
    # µs since 1970
    createdAt: int
    # on which it was begun, in the account's zone
    day: str
    id: int
    state: typing.Literal["inProgress", "completed"]
    # steps without an answer
    unanswered: typing.List[int]


class ReviewSummary(_ReviewSummary, total=False):
    # µs since 1970
    completedAt: int
    incident: str


class ReviewTemplateStep(typing.TypedDict):
    info: str
    # it is as fob comes with it
    isStandard: bool
    key: str
    label: str
    question: str


class ReviewTemplate(typing.TypedDict):
    steps: typing.List[ReviewTemplateStep]


class GetAnswerDay(typing.TypedDict):
    count: int
    # as in 2026-11-25
    date: str


class _GetAnswer(typing.TypedDict):
    days: typing.List[GetAnswerDay]
    inProgress: int
    # the next one takes the place of the oldest completed one of no alarm
    isFull: bool
    # as in 2026-W48: from Monday on, by ISO 8601
    next: str
    # as in 2026-W48: from Monday on, by ISO 8601
    previous: str
    reviews: typing.List[ReviewSummary]
    # as in 2026-11-25
    today: str
    total: int
    # as in 2026-W48: from Monday on, by ISO 8601
    week: str


class GetAnswer(_GetAnswer, total=False):
    more: int


class PostBody(typing.TypedDict, total=False):
    incident: str


class GetExportAnswer(typing.TypedDict):
    reviews: typing.List[Review]
    template: ReviewTemplate


class GetOfferAnswer(typing.TypedDict, total=False):
    incident: str
    # µs since 1970
    offeredAt: int
    # µs since 1970
    openedAt: int


class _PutTemplateBodyStep(typing.TypedDict):
    key: str
    label: str
    question: str


class PutTemplateBodyStep(_PutTemplateBodyStep, total=False):
    info: str


class PutTemplateBody(typing.TypedDict):
    steps: typing.List[PutTemplateBodyStep]


class PutByIdStepsByStepBody(typing.TypedDict):
    text: str
    version: int


def get(
    *,
    fob_pin: typing.Optional[str] = None,
    week: typing.Optional[str] = None,
    state: typing.Optional[str] = None,
    incident: typing.Optional[str] = None,
    before: typing.Optional[int] = None,
    limit: typing.Optional[int] = None,
) -> "Request[GetAnswer]":
    """Reviews, the latest begun first: of a week, or of all."""
    return Request(
        "GET",
        "/v1/reviews",
        "json",
        query=(("week", week), ("state", state), ("incident", incident), ("before", before),
            ("limit", limit),),
        headers=(("Fob-PIN", fob_pin),),
    )


def post(
    body: typing.Optional[PostBody] = None,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[Review]":
    """Begins the review of an alarm that is over, or of none."""
    return Request(
        "POST",
        "/v1/reviews",
        "json",
        body=body,
        headers=(("Fob-PIN", fob_pin),),
    )


def get_export(
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[GetExportAnswer]":
    """All reviews with all that was written, and the steps of new ones."""
    return Request(
        "GET",
        "/v1/reviews/export",
        "json",
        headers=(("Fob-PIN", fob_pin),),
    )


def get_offer() -> "Request[GetOfferAnswer]":
    """The last alarm, where it may be looked back on: it has no review yet."""
    return Request(
        "GET",
        "/v1/reviews/offer",
        "json",
    )


def delete_offer() -> "Request[Done]":
    """Not now: it is offered no more, and can be begun later all the same."""
    return Request(
        "DELETE",
        "/v1/reviews/offer",
        "json",
    )


def get_template() -> "Request[ReviewTemplate]":
    """The steps of new reviews."""
    return Request(
        "GET",
        "/v1/reviews/template",
        "json",
    )


def put_template(
    body: PutTemplateBody,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[ReviewTemplate]":
    """Replaces the steps of new reviews."""
    return Request(
        "PUT",
        "/v1/reviews/template",
        "json",
        body=body,
        headers=(("Fob-PIN", fob_pin),),
    )


def get_by_id(
    id: int,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[Review]":
    """A review with its answers and what was saved before."""
    return Request(
        "GET",
        Request.path("/v1/reviews/{id}", id=id),
        "json",
        headers=(("Fob-PIN", fob_pin),),
    )


def delete_by_id(
    id: int,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[Done]":
    """Deletes a review with all that was written in it."""
    return Request(
        "DELETE",
        Request.path("/v1/reviews/{id}", id=id),
        "json",
        headers=(("Fob-PIN", fob_pin),),
    )


def post_by_id_complete(
    id: int,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[Review]":
    """All four steps have their answer."""
    return Request(
        "POST",
        Request.path("/v1/reviews/{id}/complete", id=id),
        "json",
        headers=(("Fob-PIN", fob_pin),),
    )


def put_by_id_steps_by_step(
    id: int,
    step: int,
    body: PutByIdStepsByStepBody,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[Review]":
    """Saves an answer; version is the one that was read, 0 before the first."""
    return Request(
        "PUT",
        Request.path("/v1/reviews/{id}/steps/{step}", id=id, step=step),
        "json",
        body=body,
        headers=(("Fob-PIN", fob_pin),),
    )
