# Written by generate.py out of the OpenAPI document.
"""The part accounts of the API."""
import typing

from ..request import Request
from .shared import Profile


class GetAnswerItem(typing.TypedDict):
    isLoggedIn: bool
    keychains: int
    number: int
    owner: typing.Union[str, None]
    state: str


class PostAnswer(typing.TypedDict):
    number: int
    token: str


def get() -> "Request[typing.List[GetAnswerItem]]":
    """The accounts of this core, without what is private to their owners."""
    return Request(
        "GET",
        "/v1/accounts",
        "json",
    )


def post(
    body: Profile,
) -> "Request[PostAnswer]":
    """Makes an account beside those that are there, and its first token."""
    return Request(
        "POST",
        "/v1/accounts",
        "json",
        body=body,
    )
