# Written by generate.py out of the OpenAPI document.
"""The part statistics of the API."""
import typing

from ..request import Request
from .shared import Done


class _GetAnswerBatterie(typing.TypedDict):
    device: str
    hasNoBattery: bool


class GetAnswerBatterie(_GetAnswerBatterie, total=False):
    percent: int


class _GetAnswerCheckIns(typing.TypedDict):
    asked: int
    clicked: int
    completed: int
    escalated: int
    history: int
    missed: int
    open: int
    series: int


class GetAnswerCheckIns(_GetAnswerCheckIns, total=False):
    # µs since 1970
    since: int


class GetAnswerFile(typing.TypedDict):
    bytes: int
    # µs since 1970
    changedAt: int
    name: str


class GetAnswer(typing.TypedDict):
    batteries: typing.List[GetAnswerBatterie]
    build: typing.Literal["debug", "release"]
    # µs since 1970
    builtAt: int
    checkIns: GetAnswerCheckIns
    database: int
    files: typing.List[GetAnswerFile]
    logLines: int
    memory: int
    memoryPeak: int
    uptime: int
    version: str


def get() -> "Request[GetAnswer]":
    """What runs, what it uses, and the counts of the check-ins; sizes are in bytes."""
    return Request(
        "GET",
        "/v1/statistics",
        "json",
    )


def delete() -> "Request[Done]":
    """Sets the counts of the check-ins to 0."""
    return Request(
        "DELETE",
        "/v1/statistics",
        "json",
    )
