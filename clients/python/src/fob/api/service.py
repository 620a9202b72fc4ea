# Written by generate.py out of the OpenAPI document.
"""The part service of the API."""
import typing

from ..request import Request


class GetHealthzAnswer(typing.TypedDict):
    ok: bool


class GetReadyzAnswer(typing.TypedDict):
    ok: bool


def get_ack_by_token(
    token: str,
) -> "Request[str]":
    """Asks whether they have it in hand."""
    return Request(
        "GET",
        Request.path("/ack/{token}", token=token),
        "text",
    )


def post_ack_by_token(
    token: str,
) -> "Request[str]":
    """They have it in hand."""
    return Request(
        "POST",
        Request.path("/ack/{token}", token=token),
        "text",
    )


def get_healthz() -> "Request[GetHealthzAnswer]":
    """The process answers."""
    return Request(
        "GET",
        "/healthz",
        "json",
    )


def get_metrics() -> "Request[str]":
    """Prometheus text, 0.0.4."""
    return Request(
        "GET",
        "/metrics",
        "text",
    )


def get_readyz() -> "Request[GetReadyzAnswer]":
    """The core takes work; 503 with the reasons where it does not."""
    return Request(
        "GET",
        "/readyz",
        "json",
    )


def get_openapi_json() -> "Request[typing.Dict[str, typing.Any]]":
    """This document."""
    return Request(
        "GET",
        "/v1/openapi.json",
        "json",
    )
