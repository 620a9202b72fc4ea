"""Fixtures for pytest: `bench`, `keychain`, `alarm`, `wire` and `fob_seed`.

One bench serves all tests of a process, and so one of each worker of pytest-xdist; it is calm
before each test. A test that fails has its logs, its capture and a JUnit test case in the folder of
--fob-artifacts, and the next one a new bench."""
import random
import typing
import zlib

import pytest

from .alarm import Alarm
from .bench import Bench
from .errors import FobError, Unsupported
from .keychain import Keychain
from .wire import Wire

FAILURE = pytest.StashKey[str]()
SEED = pytest.StashKey[int]()


class Shared:
    """The bench of this process, made when the first test asks for it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._bench: typing.Optional[Bench] = None

    def ready(self, name: str) -> Bench:
        if self._bench is None:
            bench = Bench(program=self._config.getoption("--fob-program"),
                          device=self._config.getoption("--fob-device"))
            bench.start()
            self._bench = bench
        self._bench.name = name
        self._bench.properties = {}
        return self._bench

    def drop(self) -> None:
        if self._bench is not None:
            self._bench.close()
            self._bench = None


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fob", "a keychain panic alarm")
    group.addoption("--fob-device", default="emulated", metavar="DEVICE", help=(
        "emulated, lm3s6965evb, microbit, or the line of a keychain, as in "
        "serial:/dev/ttyUSB0?baud=115200"))
    group.addoption("--fob-program", default=None, metavar="PATH", help=(
        "the program; $FOB, or fob on the PATH"))
    group.addoption("--fob-artifacts", default="artifacts", metavar="FOLDER", help=(
        "where a test that fails leaves its logs and its capture"))
    group.addoption("--fob-seed", default=None, type=int, metavar="SEED", help=(
        "the seed of fob_seed; a random one, which is printed"))


def pytest_configure(config: pytest.Config) -> None:
    seed = config.getoption("--fob-seed")
    # Workers of xdist get the seed of the process that started them.
    given = getattr(config, "workerinput", {}).get("fob_seed")
    config.stash[SEED] = next(one for one in (given, seed, random.randrange(2**31))
                              if one is not None)
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(Distribution())


class Distribution:
    """What pytest-xdist asks."""

    def pytest_configure_node(self, node: typing.Any) -> None:
        node.workerinput["fob_seed"] = node.config.stash[SEED]


def pytest_report_header(config: pytest.Config) -> str:
    return f"fob: device {config.getoption('--fob-device')}, --fob-seed={config.stash[SEED]}"


# Not wrapper=True, which pytest of Debian 12 does not know.
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(
        item: pytest.Item, call: "pytest.CallInfo[None]",
) -> typing.Generator[None, typing.Any, None]:
    """A test that asks for what its device cannot do is skipped, and says why."""
    report: pytest.TestReport = (yield).get_result()
    if call.excinfo is not None and isinstance(call.excinfo.value, Unsupported):
        report.outcome = "skipped"
        path, line, _ = item.location
        report.longrepr = (path, line or 0, f"Skipped: {call.excinfo.value}")
    elif report.when == "call" and report.failed:
        item.stash[FAILURE] = report.longreprtext


@pytest.fixture(scope="session")
def _fob_shared(pytestconfig: pytest.Config) -> typing.Iterator[Shared]:
    shared = Shared(pytestconfig)
    yield shared
    shared.drop()


@pytest.fixture
def bench(_fob_shared: Shared, request: pytest.FixtureRequest) -> typing.Iterator[Bench]:
    """A keychain, a bridge and a core, without an alarm."""
    bench = _fob_shared.ready(request.node.nodeid)
    yield bench
    failure = request.node.stash.get(FAILURE, None)
    for name, value in measured(bench).items():
        bench.properties[name] = value
        # As record_property does, which warns of the form that most CI systems read anyway.
        request.node.user_properties.append((name, value))
    if failure is not None:
        place = bench.collect(failure, request.config.getoption("--fob-artifacts"))
        request.node.add_report_section("teardown", "fob", f"collected in {place}")
        _fob_shared.drop()
        return
    try:
        bench.calm()
    except FobError:
        # The next test gets a new one.
        _fob_shared.drop()


@pytest.fixture
def keychain(bench: Bench) -> Keychain:
    """The keychain of `bench`."""
    return bench.keychain


@pytest.fixture
def alarm(bench: Bench) -> Alarm:
    """The alarm of `bench`."""
    return bench.alarm


@pytest.fixture
def wire(bench: Bench) -> Wire:
    """The capture of `bench`, with the frames of the tests before."""
    return bench.wire


@pytest.fixture
def fob_seed(request: pytest.FixtureRequest) -> int:
    """A number for what a test draws, the same for the same --fob-seed and test."""
    name = str(request.node.nodeid).encode()
    seed = zlib.crc32(name, request.config.stash[SEED]) & 0x7FFF_FFFF
    request.node.user_properties.append(("fob_seed", request.config.stash[SEED]))
    return seed


def measured(bench: Bench) -> typing.Dict[str, object]:
    """What a report has of a test: the latency of its last press, and the battery."""
    found: typing.Dict[str, object] = {}
    try:
        latencies = bench.alarm.latencies
        last = bench.keychain.last_press
        if last in latencies:
            found["fob_press_to_light_us"] = latencies[last]["lit"]
        if bench.keychain.control is not None:
            found["fob_battery_percent"] = bench.keychain.state["battery"]
    except FobError:
        pass
    return found
