# Written by generate.py out of the OpenAPI document.
"""The part help of the API."""
import typing

from ..request import Request


class _HelpLink(typing.TypedDict):
    label: str


class HelpLink(_HelpLink, total=False):
    # begins with https://
    address: str
    phone: str


class GetLinksAnswer(typing.TypedDict):
    links: typing.List[HelpLink]


class PutLinksBody(typing.TypedDict):
    links: typing.List[HelpLink]


class PutLinksAnswer(typing.TypedDict):
    links: typing.List[HelpLink]


def get_links() -> "Request[GetLinksAnswer]":
    """Where the owner finds help."""
    return Request(
        "GET",
        "/v1/help/links",
        "json",
    )


def put_links(
    body: PutLinksBody,
) -> "Request[PutLinksAnswer]":
    """Replaces the help links, 10 at most."""
    return Request(
        "PUT",
        "/v1/help/links",
        "json",
        body=body,
    )


def get_by_topic(
    topic: str,
    *,
    language: typing.Optional[str] = None,
    accept_language: typing.Optional[str] = None,
) -> "Request[str]":
    """The help text of messages, breathing, affirmations, grounding, as it was shipped."""
    return Request(
        "GET",
        Request.path("/v1/help/{topic}", topic=topic),
        "text",
        query=(("language", language),),
        headers=(("Accept-Language", accept_language),),
    )
