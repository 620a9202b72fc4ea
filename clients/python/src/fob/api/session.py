# Written by generate.py out of the OpenAPI document.
"""The part session of the API."""
import typing

from ..request import Request


class PostBody(typing.TypedDict, total=False):
    code: str
    email: str
    pin: str


class PostAnswer(typing.TypedDict):
    key: str


def post(
    body: PostBody,
) -> "Request[PostAnswer]":
    """Exchanges the one-time code that fob prints, or email and PIN, for a cookie and a key."""
    return Request(
        "POST",
        "/v1/session",
        "json",
        body=body,
    )


def delete() -> "Request[None]":
    """Logs this browser out."""
    return Request(
        "DELETE",
        "/v1/session",
        "none",
    )
