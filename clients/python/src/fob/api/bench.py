# Written by generate.py out of the OpenAPI document.
"""The part bench of the API."""
import typing

from ..request import Request


class BenchKeychainTrackFixe(typing.TypedDict):
    at: int
    latitude: int
    longitude: int
    quality: typing.Literal["none", "weak", "good"]


class BenchKeychainTrack(typing.TypedDict):
    fixes: typing.List[BenchKeychainTrackFixe]


class _BenchKeychain(typing.TypedDict):
    device: str
    line: str
    serial: int
    state: typing.Dict[str, typing.Any]


class BenchKeychain(_BenchKeychain, total=False):
    hasLabel: bool
    track: BenchKeychainTrack


class BenchLine(typing.TypedDict):
    device: typing.Union[str, None]
    isOpen: bool
    obstacle: typing.Union[str, None]
    spec: str


class Bench(typing.TypedDict):
    keychains: typing.List[BenchKeychain]
    last: int
    lines: typing.List[BenchLine]
    now: int
    patterns: typing.Dict[str, typing.Any]
    wall: int


class BenchConformanceChapter(typing.TypedDict):
    cases: int
    chapter: str
    quickCases: int
    title: str


BenchConformanceOutcomeVerdict = typing.Literal[
    "passed", "failed", "notTested", "notRun"
]


class _BenchConformanceOutcome(typing.TypedDict):
    case: str
    chapter: str
    name: str
    verdict: BenchConformanceOutcomeVerdict


class BenchConformanceOutcome(_BenchConformanceOutcome, total=False):
    reason: str


class _BenchConformance(typing.TypedDict):
    chapters: typing.List[BenchConformanceChapter]
    done: int
    isRunning: bool
    judged: str
    outcomes: typing.List[BenchConformanceOutcome]
    total: int


class BenchConformance(_BenchConformance, total=False):
    isGood: bool
    summary: str


class BenchLabel(typing.TypedDict):
    device: str
    scanned: str
    svg: str
    text: str


class BenchLatencyLast(typing.TypedDict):
    device: str
    event: str


class _BenchLatencyStage(typing.TypedDict):
    buckets: typing.List[typing.List[int]]
    count: int
    crossesClocks: bool
    isSum: bool
    meaning: str
    stage: str


class BenchLatencyStage(_BenchLatencyStage, total=False):
    max: int
    mean: int
    min: int
    p50: int
    p90: int
    p99: int


class _BenchLatency(typing.TypedDict):
    presses: int
    since: int
    stages: typing.List[BenchLatencyStage]


class BenchLatency(_BenchLatency, total=False):
    last: BenchLatencyLast


class PostConformanceBody(typing.TypedDict, total=False):
    chapter: typing.List[str]
    quick: bool


class PostKeychainsByDeviceControlBody(typing.TypedDict):
    do: str


class _PostKeychainsByDeviceControlAnswer(typing.TypedDict):
    ok: bool


class PostKeychainsByDeviceControlAnswer(_PostKeychainsByDeviceControlAnswer, total=False):
    event: str


def get() -> "Request[Bench]":
    """Emulated keychains, light patterns and lines; events are kept from the first call."""
    return Request(
        "GET",
        "/v1/bench",
        "json",
    )


def get_capture(
    *,
    device: typing.Optional[str] = None,
) -> "Request[bytes]":
    """What went over the lines since the bench is looked at, the last 4 MiB, as pcapng."""
    return Request(
        "GET",
        "/v1/bench/capture",
        "bytes",
        query=(("device", device),),
    )


def get_conformance() -> "Request[BenchConformance]":
    """The conformance run that goes on, or the last one."""
    return Request(
        "GET",
        "/v1/bench/conformance",
        "json",
    )


def post_conformance(
    body: typing.Optional[PostConformanceBody] = None,
) -> "Request[BenchConformance]":
    """Judges the production firmware in memory, case by case; chapters by name, or all."""
    return Request(
        "POST",
        "/v1/bench/conformance",
        "json",
        body=body,
    )


def delete_conformance() -> "Request[None]":
    """Stops the run, if there is one, before its next case."""
    return Request(
        "DELETE",
        "/v1/bench/conformance",
        "none",
    )


def get_conformance_report(
    *,
    form: typing.Optional[str] = None,
) -> "Request[typing.Dict[str, typing.Any]]":
    """The report of the last run, once it has ended."""
    return Request(
        "GET",
        "/v1/bench/conformance/report",
        "json",
        query=(("form", form),),
    )


def post_keychains_by_device_control(
    device: str,
    body: PostKeychainsByDeviceControlBody,
) -> "Request[PostKeychainsByDeviceControlAnswer]":
    """Asks an emulated keychain as its control socket is asked, as in {"do":"press"}."""
    return Request(
        "POST",
        Request.path("/v1/bench/keychains/{device}/control", device=device),
        "json",
        body=body,
    )


def get_keychains_by_device_label(
    device: str,
) -> "Request[BenchLabel]":
    """The label of an emulated keychain that has its key from the factory, to be scanned."""
    return Request(
        "GET",
        Request.path("/v1/bench/keychains/{device}/label", device=device),
        "json",
    )


def get_latency() -> "Request[BenchLatency]":
    """How long presses have taken, stage by stage, since this process began; µs."""
    return Request(
        "GET",
        "/v1/bench/latency",
        "json",
    )
