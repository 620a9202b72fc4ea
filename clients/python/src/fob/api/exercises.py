# Written by generate.py out of the OpenAPI document.
"""The part exercises of the API."""
import typing

from ..request import Request
from .shared import Done
from .shared import FactsEnd


class _ExercisesLast(typing.TypedDict):
    by: str
    end: FactsEnd
    # µs since 1970
    endedAt: int
    # seconds
    seconds: int
    # µs since 1970
    startedAt: int


class ExercisesLast(_ExercisesLast, total=False):
    device: str


class _ExercisesRunning(typing.TypedDict):
    by: str
    # µs
    elapsed: int
    exercise: typing.Literal["breathing", "grounding"]
    # µs since 1970
    startedAt: int


class ExercisesRunning(_ExercisesRunning, total=False):
    category: typing.Literal["see", "touch", "hear"]
    counted: int
    device: str
    left: int
    # µs for which the light of a linked keychain has shown it without a break
    lit: int
    stage: int


class _ExercisesStatistics(typing.TypedDict):
    count: int
    # seconds
    longest: int
    # of all sessions together
    seconds: int
    # seconds
    shortest: int


class ExercisesStatistics(_ExercisesStatistics, total=False):
    # seconds
    average: int


class _Exercises(typing.TypedDict):
    oneClickBreathes: bool
    statistics: ExercisesStatistics


class Exercises(_Exercises, total=False):
    last: ExercisesLast
    running: ExercisesRunning


class PostBreathingStartBody(typing.TypedDict, total=False):
    # whose light shows it; each of the account's if none
    device: str


class _GetBreathingStatisticsAnswer(typing.TypedDict):
    count: int
    # seconds
    longest: int
    # of all sessions together
    seconds: int
    # seconds
    shortest: int


class GetBreathingStatisticsAnswer(_GetBreathingStatisticsAnswer, total=False):
    # seconds
    average: int


class PutBreathingTotalTimeTxtBody(typing.TypedDict):
    file: str


class PostGroundingStartBody(typing.TypedDict, total=False):
    # whose light shows it; each of the account's if none
    device: str


class GetSettingsAnswer(typing.TypedDict):
    oneClickBreathes: bool


class PutSettingsBody(typing.TypedDict):
    oneClickBreathes: bool


class PutSettingsAnswer(typing.TypedDict):
    oneClickBreathes: bool


def get() -> "Request[Exercises]":
    """Which exercise runs, the last session of breathing, and its statistics."""
    return Request(
        "GET",
        "/v1/exercises",
        "json",
    )


def post_breathing_start(
    body: typing.Optional[PostBreathingStartBody] = None,
) -> "Request[Exercises]":
    """Starts breathing; refused while another exercise runs."""
    return Request(
        "POST",
        "/v1/exercises/breathing/start",
        "json",
        body=body,
    )


def get_breathing_statistics() -> "Request[GetBreathingStatisticsAnswer]":
    """The totals of breathing; the average is the total by the count."""
    return Request(
        "GET",
        "/v1/exercises/breathing/statistics",
        "json",
    )


def delete_breathing_statistics() -> "Request[Done]":
    """Sets the totals of breathing to 0."""
    return Request(
        "DELETE",
        "/v1/exercises/breathing/statistics",
        "json",
    )


def get_breathing_total_time_txt() -> "Request[str]":
    """The totals as six lines: seconds, minutes and hours of the total, the shortest, the
    longest, the number of sessions."""
    return Request(
        "GET",
        "/v1/exercises/breathing/totalTime.txt",
        "text",
    )


def put_breathing_total_time_txt(
    body: PutBreathingTotalTimeTxtBody,
) -> "Request[Done]":
    """Replaces the totals by such a file, or leaves them all as they are."""
    return Request(
        "PUT",
        "/v1/exercises/breathing/totalTime.txt",
        "json",
        body=body,
    )


def post_grounding_count() -> "Request[Exercises]":
    """Counts one item of grounding; the last one ends it."""
    return Request(
        "POST",
        "/v1/exercises/grounding/count",
        "json",
    )


def post_grounding_retry() -> "Request[Exercises]":
    """Begins grounding again at the first item."""
    return Request(
        "POST",
        "/v1/exercises/grounding/retry",
        "json",
    )


def post_grounding_start(
    body: typing.Optional[PostGroundingStartBody] = None,
) -> "Request[Exercises]":
    """Starts grounding; refused while another exercise runs."""
    return Request(
        "POST",
        "/v1/exercises/grounding/start",
        "json",
        body=body,
    )


def get_settings() -> "Request[GetSettingsAnswer]":
    """Whether one click that speaks to nothing else starts breathing."""
    return Request(
        "GET",
        "/v1/exercises/settings",
        "json",
    )


def put_settings(
    body: PutSettingsBody,
) -> "Request[PutSettingsAnswer]":
    """Replaces the settings."""
    return Request(
        "PUT",
        "/v1/exercises/settings",
        "json",
        body=body,
    )


def post_stop() -> "Request[Exercises]":
    """Ends what runs."""
    return Request(
        "POST",
        "/v1/exercises/stop",
        "json",
    )
