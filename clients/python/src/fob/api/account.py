# Written by generate.py out of the OpenAPI document.
"""The part account of the API."""
import typing

from ..request import Request
from .shared import Done
from .shared import Place
from .shared import Profile


AccountConfirmation = typing.Literal[
    "confirmed", "mailed", "possible", "noMail", "noAddress"
]


class _Account(typing.TypedDict):
    confirmation: AccountConfirmation
    contacts: int
    country: str
    email: str
    hasPIN: bool
    isEmailConfirmed: bool
    isLoggedIn: bool
    isProtecting: bool
    isSetUp: bool
    language: str
    mayLocate: bool
    messageEvery: int
    mobile: str
    name: str
    places: typing.List[Place]
    possessive: str
    zone: str


class Account(_Account, total=False):
    devices: typing.List[str]


class PatchBody(typing.TypedDict, total=False):
    country: str
    email: str
    language: str
    mayLocate: bool
    messageEvery: int
    mobile: str
    name: str
    pin: str
    places: typing.List[Place]
    possessive: str
    zone: str


class _DeleteBody(typing.TypedDict):
    confirm: typing.Literal["delete"]


class DeleteBody(_DeleteBody, total=False):
    pin: str


class PostEmailBody(typing.TypedDict):
    email: str


class PostLoginBody(typing.TypedDict):
    email: str
    pin: str


class PostLogoutBody(typing.TypedDict, total=False):
    pin: str


class _PutPinBody(typing.TypedDict):
    pin: str


class PutPinBody(_PutPinBody, total=False):
    current: str


class PostPinCheckBody(typing.TypedDict, total=False):
    pin: str


class PostSetUpFinishBody(typing.TypedDict, total=False):
    pin: str


def get() -> "Request[Account]":
    """The account."""
    return Request(
        "GET",
        "/v1/account",
        "json",
    )


def post(
    body: Profile,
) -> "Request[Account]":
    """Makes the account."""
    return Request(
        "POST",
        "/v1/account",
        "json",
        body=body,
    )


def patch(
    body: PatchBody,
) -> "Request[Account]":
    """Edits the account; after set-up it needs the PIN."""
    return Request(
        "PATCH",
        "/v1/account",
        "json",
        body=body,
    )


def delete(
    body: DeleteBody,
) -> "Request[Done]":
    """Erases the account with all that its owner entered; past alarms stay without names, words
    and positions; it needs the PIN once one is set."""
    return Request(
        "DELETE",
        "/v1/account",
        "json",
        body=body,
    )


def get_confirm(
    *,
    token: typing.Optional[str] = None,
) -> "Request[str]":
    """What the link in the mail opens."""
    return Request(
        "GET",
        "/v1/account/confirm",
        "text",
        query=(("token", token),),
    )


def post_confirm(
    *,
    token: typing.Optional[str] = None,
) -> "Request[str]":
    """The button on it: the address is confirmed."""
    return Request(
        "POST",
        "/v1/account/confirm",
        "text",
        query=(("token", token),),
    )


def post_confirmation() -> "Request[None]":
    """Mails the link that confirms the account's address, again."""
    return Request(
        "POST",
        "/v1/account/confirmation",
        "none",
    )


def post_email(
    body: PostEmailBody,
) -> "Request[None]":
    """Says whether the account has this mail address, before a PIN is asked for."""
    return Request(
        "POST",
        "/v1/account/email",
        "none",
        body=body,
    )


def post_login(
    body: PostLoginBody,
) -> "Request[Done]":
    """Logs the account in."""
    return Request(
        "POST",
        "/v1/account/login",
        "json",
        body=body,
    )


def post_logout(
    body: typing.Optional[PostLogoutBody] = None,
) -> "Request[Done]":
    """Logs out: then nobody is told of an alarm; it needs the PIN once one is set."""
    return Request(
        "POST",
        "/v1/account/logout",
        "json",
        body=body,
    )


def put_pin(
    body: PutPinBody,
) -> "Request[Done]":
    """Sets the PIN; where one is set it needs the current one."""
    return Request(
        "PUT",
        "/v1/account/pin",
        "json",
        body=body,
    )


def post_pin_check(
    body: typing.Optional[PostPinCheckBody] = None,
) -> "Request[Done]":
    """Says whether the PIN is right, and changes nothing."""
    return Request(
        "POST",
        "/v1/account/pin/check",
        "json",
        body=body,
    )


def post_pin_forgot() -> "Request[Done]":
    """Mails a new PIN; the old one counts until the new one is first used."""
    return Request(
        "POST",
        "/v1/account/pin/forgot",
        "json",
    )


def post_set_up_finish(
    body: typing.Optional[PostSetUpFinishBody] = None,
) -> "Request[Done]":
    """From here on changes need the PIN."""
    return Request(
        "POST",
        "/v1/account/set-up/finish",
        "json",
        body=body,
    )
