# Written by generate.py out of the OpenAPI document.
"""The part triggers of the API."""
import typing

from ..request import Request
from .shared import Done


class PostBody(typing.TypedDict):
    device: str
    key: str
    source: typing.Literal["fall", "checkIn"]


def post(
    body: PostBody,
) -> "Request[Done]":
    """A fall or an overdue check-in: begins the countdown."""
    return Request(
        "POST",
        "/v1/triggers",
        "json",
        body=body,
    )
