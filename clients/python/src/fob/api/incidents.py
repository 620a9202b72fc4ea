# Written by generate.py out of the OpenAPI document.
"""The part incidents of the API."""
import typing

from ..request import Request
from .shared import Done
from .shared import Incident


class _GetAnswer(typing.TypedDict):
    incidents: typing.List[Incident]


class GetAnswer(_GetAnswer, total=False):
    next: str


class PostCurrentAcknowledgeBody(typing.TypedDict):
    contact: str


class PostCurrentDisarmBody(typing.TypedDict):
    pin: str


class PostCurrentSurveyBody(typing.TypedDict, total=False):
    fell: typing.Union[bool, None]
    outcome: typing.Union[typing.Literal["true", "false", "test"], None]


class _PutByIdOutcomeBody(typing.TypedDict):
    outcome: typing.Literal["true", "false", "test"]


class PutByIdOutcomeBody(_PutByIdOutcomeBody, total=False):
    fell: typing.Union[bool, None]


class PostByIdSurveyBody(typing.TypedDict, total=False):
    fell: typing.Union[bool, None]
    outcome: typing.Union[typing.Literal["true", "false", "test"], None]


def get(
    *,
    limit: typing.Optional[int] = None,
    before: typing.Optional[str] = None,
) -> "Request[GetAnswer]":
    """Incidents, newest first."""
    return Request(
        "GET",
        "/v1/incidents",
        "json",
        query=(("limit", limit), ("before", before),),
    )


def post_current_acknowledge(
    body: PostCurrentAcknowledgeBody,
) -> "Request[Done]":
    """A contact has it in hand."""
    return Request(
        "POST",
        "/v1/incidents/current/acknowledge",
        "json",
        body=body,
    )


def post_current_cancel() -> "Request[Done]":
    """Ends the emergency, where no PIN is set."""
    return Request(
        "POST",
        "/v1/incidents/current/cancel",
        "json",
    )


def post_current_disarm(
    body: PostCurrentDisarmBody,
) -> "Request[Done]":
    """Ends the emergency by PIN."""
    return Request(
        "POST",
        "/v1/incidents/current/disarm",
        "json",
        body=body,
    )


def post_current_end() -> "Request[Done]":
    """Ends an emergency that belongs to nobody."""
    return Request(
        "POST",
        "/v1/incidents/current/end",
        "json",
    )


def post_current_quit() -> "Request[Done]":
    """Stops the sounder and opens the survey; the emergency goes on."""
    return Request(
        "POST",
        "/v1/incidents/current/quit",
        "json",
    )


def post_current_resume() -> "Request[Done]":
    """Protects again after an emergency has ended."""
    return Request(
        "POST",
        "/v1/incidents/current/resume",
        "json",
    )


def post_current_silence() -> "Request[Done]":
    """Stops the sounder; the emergency goes on."""
    return Request(
        "POST",
        "/v1/incidents/current/silence",
        "json",
    )


def post_current_survey(
    body: typing.Optional[PostCurrentSurveyBody] = None,
) -> "Request[Done]":
    """What the person says of it."""
    return Request(
        "POST",
        "/v1/incidents/current/survey",
        "json",
        body=body,
    )


def get_by_id(
    id: str,
) -> "Request[typing.Dict[str, typing.Any]]":
    """All that is known of an incident, as one document."""
    return Request(
        "GET",
        Request.path("/v1/incidents/{id}", id=id),
        "json",
    )


def get_by_id_alert_xml(
    id: str,
) -> "Request[bytes]":
    """An incident as it stands, as an alert of the Common Alerting Protocol 1.2."""
    return Request(
        "GET",
        Request.path("/v1/incidents/{id}/alert.xml", id=id),
        "bytes",
    )


def put_by_id_outcome(
    id: str,
    body: PutByIdOutcomeBody,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[Done]":
    """What an alarm was, as the owner knows it now."""
    return Request(
        "PUT",
        Request.path("/v1/incidents/{id}/outcome", id=id),
        "json",
        body=body,
        headers=(("Fob-PIN", fob_pin),),
    )


def post_by_id_survey(
    id: str,
    body: typing.Optional[PostByIdSurveyBody] = None,
) -> "Request[Done]":
    """What the person says of it later, after resume, too."""
    return Request(
        "POST",
        Request.path("/v1/incidents/{id}/survey", id=id),
        "json",
        body=body,
    )
