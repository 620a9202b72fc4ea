"""Keychains of an exporter's USB, which umockdev makes up."""
import os
import typing

import pytest

import fob
from lab import FOLDER, Daemon, Lab, environment_file

SERIAL = "8000000000000001"
MATCH = f"match: {{ID_SERIAL_SHORT: '{SERIAL}'}}"
# On the keychain's own host: what is refused, then the frames of a line that is opened itself.
HERE = """
import sys
import fob
from labgrid import Environment
target = Environment(sys.argv[1]).get_target()
print("line", target.get_driver("FobKeychainDriver").line)
try:
    target.get_driver("DigitalOutputProtocol").set(True)
except fob.Unsupported as error:
    print("refused", error)
frames = target.get_driver("ConsoleProtocol")
print("listens")
print("heard", frames.expect("\\n")[1])
"""
# A client that has acquired the place: hands press, elsewhere.
LINE = """
import sys
import fob
from labgrid import Environment
env = Environment(sys.argv[1])
driver = env.get_target().get_driver("FobKeychainDriver")
with fob.Bench(device=driver.line) as bench:
    print("linked", flush=True)
    bench.alarm.until("EMERGENCY_SENT", within=60)
    print("alarm by", *bench.alarm.presses)
env.cleanup()
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("l")) as lab:
        yield lab


@pytest.fixture
def testbed(lab: Lab) -> typing.Iterator[typing.Tuple[Daemon, str]]:
    """USB that is made up, and its folder."""
    script = FOLDER.parent.parent / "scripts" / "umockdev-testbed.py"
    with Daemon(["umockdev-wrapper", "/usr/bin/python3", str(script)], lab.folder,
                dict(os.environ)) as testbed:
        yield testbed, testbed.until("/")
        testbed.tell("end")
        testbed.join()


@pytest.fixture
def other() -> typing.Iterator[fob.Bench]:
    """The keychain of a bench whose bridge has let go of it."""
    with fob.Bench(capture=False) as other:
        other.alarm.close()
        next(one for one in other.processes if one.name == "bridge").stop()
        yield other


def plug(usb: Daemon, other: fob.Bench) -> None:
    """The second of two: the first has another serial number."""
    for node, words in [("ttyACM0", "1-1 8000000000000009"), ("ttyACM1", f"1-2 {SERIAL}")]:
        usb.tell(f"add {words} {node} {other.folder / 'line'}")
        usb.until("done")


def preload(root: str) -> typing.Dict[str, str]:
    return {"LD_PRELOAD": "libumockdev-preload.so.0", "UMOCKDEV_DIR": root}


def test_a_keychain_is_found_by_its_serial_number_and_only_hands_press_it(
        lab: Lab, testbed: typing.Tuple[Daemon, str], other: fob.Bench) -> None:
    usb, root = testbed
    with lab.exporter(f"usb: {{FobUSBKeychain: {{{MATCH}}}}}", "usb", **preload(root)) as exporter:
        lab.acquire("usb", "usb/usb/*")
        env = str(environment_file(lab.folder, "      RemotePlace: {name: usb}"))
        plug(usb, other)
        exporter.until("queued update")
        for request in (["io", "high"], ["power", "off"]):
            said = lab.client("-c", env, *request, fails=True)
            assert "only a finger presses its button" in said, said
        with lab.script(LINE, env) as alarm:
            alarm.until("linked")
            event = other.keychain.press()
            assert alarm.until("alarm by") == f"alarm by {event}"
            alarm.join()
        usb.tell("remove ttyACM1")
        usb.until("done")
        exporter.until("queued update")
        assert "'avail': False" in lab.client("-p", "usb", "show")


def test_on_its_own_host_its_frames_are_read_from_the_port(
        lab: Lab, testbed: typing.Tuple[Daemon, str], other: fob.Bench) -> None:
    usb, root = testbed
    plug(usb, other)
    env = environment_file(lab.folder, f"      FobUSBKeychain: {{{MATCH}}}")
    with lab.script(HERE, str(env), **preload(root)) as here:
        assert here.until("line") == "line serial:/dev/ttyACM1?baud=115200"
        assert "only a finger presses its button" in here.until("refused")
        here.until("listens")
        other.keychain.press()
        here.until("heard")
        here.join()
