# Written by generate.py out of the OpenAPI document.
"""The part feed of the API."""
import typing

from ..request import Request


class PostBodyEcho(typing.TypedDict):
    clock: int
    held: int


PostBodyInputKind = typing.Literal[
    "event", "barePress", "heartbeat", "position", "proof"
]


class _PostBodyInput(typing.TypedDict):
    kind: PostBodyInputKind
    payload: str


class PostBodyInput(_PostBodyInput, total=False):
    age: typing.List[int]
    head: int
    trailer: str


class _PostBody(typing.TypedDict):
    bridge: str
    inputs: typing.List[PostBodyInput]
    line: int
    sequence: int


class PostBody(_PostBody, total=False):
    down: str
    echo: PostBodyEcho
    hello: str
    trouble: str


class PostAnswerShown(typing.TypedDict):
    detail: int
    incident: str
    line: int
    sounder: bool
    state: int


class _PostAnswer(typing.TypedDict):
    acks: typing.List[str]


class PostAnswer(_PostAnswer, total=False):
    sealed: bool
    shown: PostAnswerShown


def post(
    body: PostBody,
) -> "Request[PostAnswer]":
    """What a keychain's line at another host has brought; may be posted again."""
    return Request(
        "POST",
        "/v1/feed",
        "json",
        body=body,
    )
