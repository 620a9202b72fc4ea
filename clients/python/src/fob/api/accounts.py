# Written by generate.py out of the OpenAPI document.
"""The part accounts of the API."""
import typing

from ..request import Request
from .shared import Profile


class GetAnswerItem(typing.TypedDict):
    isLoggedIn: bool
    isSuspended: bool
    keychains: int
    number: int
    owner: typing.Union[str, None]
    state: str


class PostAnswer(typing.TypedDict):
    number: int
    token: str


class DeleteByNumberBody(typing.TypedDict):
    confirm: typing.Literal["delete"]


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


def delete_by_number(
    number: int,
    body: DeleteByNumberBody,
) -> "Request[None]":
    """Deletes an account with all that is its, the log as well; refused during an alarm."""
    return Request(
        "DELETE",
        Request.path("/v1/accounts/{number}", number=number),
        "none",
        body=body,
    )


def get_by_number_export(
    number: int,
) -> "Request[typing.Dict[str, typing.Any]]":
    """All that an account has, as fob state import reads it, with the hash of its PIN."""
    return Request(
        "GET",
        Request.path("/v1/accounts/{number}/export", number=number),
        "json",
    )


def put_by_number_suspension(
    number: int,
) -> "Request[None]":
    """Suspends an account: its alarm goes on whole, and by its tokens and logins nothing else
    is done."""
    return Request(
        "PUT",
        Request.path("/v1/accounts/{number}/suspension", number=number),
        "none",
    )


def delete_by_number_suspension(
    number: int,
) -> "Request[None]":
    """Lets a suspended account go on."""
    return Request(
        "DELETE",
        Request.path("/v1/accounts/{number}/suspension", number=number),
        "none",
    )
