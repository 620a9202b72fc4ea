# Written by generate.py out of the OpenAPI document.
"""The part messages of the API."""
import typing

from ..request import Request
from .shared import Done


class _MessageDraft(typing.TypedDict):
    # as long as one SMS: 160 septets, or 70 UTF-16 units where it needs them
    message: str


class MessageDraft(_MessageDraft, total=False):
    # the keychain's position is sent behind it, with 35 characters of its length
    addsPosition: bool
    contact: typing.Union[str, None]
    name: str
    number: str
    pin: str


MessageSendState = typing.Literal[
    "decided", "waiting", "underWay", "taken", "failed", "cancelled"
]


class _MessageSend(typing.TypedDict):
    askedAt: int
    attempts: int
    by: str
    id: str
    isBench: bool
    message: str
    recipient: str
    slot: int
    state: MessageSendState


class MessageSend(_MessageSend, total=False):
    endedAt: int
    lastError: str
    number: str
    way: str


class _MessageSlot(typing.TypedDict):
    # the keychain's position is sent behind it, with 35 characters of its length
    addsPosition: bool
    clicks: int
    isComplete: bool
    limit: int
    # as long as one SMS: 160 septets, or 70 UTF-16 units where it needs them
    message: str
    name: str
    number: str
    slot: int
    units: int


class MessageSlot(_MessageSlot, total=False):
    contact: str
    last: MessageSend


class _GetAnswer(typing.TypedDict):
    messages: typing.List[MessageSend]
    total: int


class GetAnswer(_GetAnswer, total=False):
    next: str


class _PutFilesByFileBody(typing.TypedDict):
    text: str


class PutFilesByFileBody(_PutFilesByFileBody, total=False):
    pin: str


class GetSlotsAnswer(typing.TypedDict):
    slots: typing.List[MessageSlot]


class DeleteSlotsByNBody(typing.TypedDict, total=False):
    pin: str


class PostSlotsByNSendBody(typing.TypedDict):
    # of the caller's choice: the same request sent again sends nothing twice
    key: str


def get(
    *,
    before: typing.Optional[str] = None,
    limit: typing.Optional[int] = None,
) -> "Request[GetAnswer]":
    """What was asked for and what became of it, latest first."""
    return Request(
        "GET",
        "/v1/messages",
        "json",
        query=(("before", before), ("limit", limit),),
    )


def get_files_by_file(
    file: str,
) -> "Request[str]":
    """A slot as a file of three lines: name, number, message; an empty one has three empty
    lines."""
    return Request(
        "GET",
        Request.path("/v1/messages/files/{file}", file=file),
        "text",
    )


def put_files_by_file(
    file: str,
    body: PutFilesByFileBody,
    *,
    fob_pin: typing.Optional[str] = None,
) -> "Request[str]":
    """Fills a slot out of such a file, or empties it by three empty lines; after set-up it
    needs the PIN."""
    return Request(
        "PUT",
        Request.path("/v1/messages/files/{file}", file=file),
        "text",
        body=body,
        headers=(("Fob-PIN", fob_pin),),
    )


def get_slots() -> "Request[GetSlotsAnswer]":
    """The five messages, and what was last sent of each."""
    return Request(
        "GET",
        "/v1/messages/slots",
        "json",
    )


def put_slots_by_n(
    n: str,
    body: MessageDraft,
) -> "Request[MessageSlot]":
    """Replaces a slot: a contact, or a name and a number, and a text; after set-up it needs the
    PIN."""
    return Request(
        "PUT",
        Request.path("/v1/messages/slots/{n}", n=n),
        "json",
        body=body,
    )


def delete_slots_by_n(
    n: str,
    body: typing.Optional[DeleteSlotsByNBody] = None,
) -> "Request[Done]":
    """Empties a slot, and cancels what of it was not handed out; after set-up it needs the PIN."""
    return Request(
        "DELETE",
        Request.path("/v1/messages/slots/{n}", n=n),
        "json",
        body=body,
    )


def post_slots_by_n_send(
    n: str,
    body: PostSlotsByNSendBody,
) -> "Request[MessageSend]":
    """Sends a slot's message; a second one within 60 s is the one before."""
    return Request(
        "POST",
        Request.path("/v1/messages/slots/{n}/send", n=n),
        "json",
        body=body,
    )
