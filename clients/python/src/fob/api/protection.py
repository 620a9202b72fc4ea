# Written by generate.py out of the OpenAPI document.
"""The part protection of the API."""
import typing

from ..request import Request
from .shared import Done


class PutBody(typing.TypedDict, total=False):
    pin: str


class DeleteBody(typing.TypedDict, total=False):
    pin: str


def put(
    body: typing.Optional[PutBody] = None,
) -> "Request[Done]":
    """Starts protection, or says what it lacks."""
    return Request(
        "PUT",
        "/v1/protection",
        "json",
        body=body,
    )


def delete(
    body: typing.Optional[DeleteBody] = None,
) -> "Request[Done]":
    """Stops protection; a press still counts; it needs the PIN once one is set."""
    return Request(
        "DELETE",
        "/v1/protection",
        "json",
        body=body,
    )
