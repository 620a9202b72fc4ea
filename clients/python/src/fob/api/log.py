# Written by generate.py out of the OpenAPI document.
"""The part log of the API."""
import typing

from ..request import Request
from .shared import LogLine


class _GetAnswer(typing.TypedDict):
    lines: typing.List[LogLine]


class GetAnswer(_GetAnswer, total=False):
    next: int


def get(
    *,
    after: typing.Optional[int] = None,
    limit: typing.Optional[int] = None,
    before: typing.Optional[int] = None,
    name: typing.Optional[str] = None,
    contact: typing.Optional[str] = None,
    since: typing.Optional[int] = None,
    until: typing.Optional[int] = None,
    text: typing.Optional[str] = None,
    device: typing.Optional[str] = None,
    incident: typing.Optional[str] = None,
) -> "Request[GetAnswer]":
    """The log, oldest first: from its beginning, or the newest before an id."""
    return Request(
        "GET",
        "/v1/log",
        "json",
        query=(("after", after), ("limit", limit), ("before", before), ("name", name),
            ("contact", contact), ("since", since), ("until", until), ("text", text), ("device",
            device), ("incident", incident),),
    )
