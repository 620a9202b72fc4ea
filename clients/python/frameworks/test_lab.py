"""Keychains of labgrid's exporter, by its coordinator and its client."""
import os
import pathlib
import signal
import typing

import pytest

import fob
from lab import Lab, environment_file, expect_end

# A client that has acquired the place: a bench of its own on the line of the shared keychain.
ALARM = """
import sys
import fob
from labgrid import Environment
env = Environment(sys.argv[1])
driver = env.get_target().get_driver("FobKeychainDriver")
frames = env.get_target().get_driver("ConsoleProtocol")
power = env.get_target().get_driver("PowerProtocol")
power.off()
power.on()
with fob.Bench(device=driver.line) as bench:
    event = driver.press()
    bench.alarm.until("EMERGENCY_SENT")
    driver.keychain.wait("acked", event=event)
    frames.expect('"EVENT"')
    print("alarm by", event)
env.cleanup()
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("l")) as lab:
        yield lab


def benches(lab: Lab) -> typing.List[pathlib.Path]:
    return list(lab.folder.glob("fob-*"))


def test_a_place_with_a_keychain_is_acquired_pressed_and_released(lab: Lab) -> None:
    with lab.exporter("desk: {FobEmulatedKeychain: {}}"):
        lab.acquire("desk", "*/desk/NetworkFobKeychain")
        env = str(environment_file(lab.folder, "      RemotePlace: {name: desk}"))
        lab.client("-c", env, "io", "high")
        assert "is high" in lab.client("-c", env, "io", "get")
        lab.client("-c", env, "io", "low")
        with lab.script(ALARM, env) as alarm:
            assert alarm.until("alarm by").startswith("alarm by 2.")
            alarm.join()
        folder, = benches(lab)
        with fob.Control(folder / "keychain.sock").subscribe() as events:
            lab.client("-p", "desk", "release")
            expect_end(events)
        assert benches(lab) == [], "the keychain goes with the place"
        assert "not acquired" in lab.client("-c", env, "io", "high", fails=True)


def test_a_keychain_that_dies_is_served_anew_and_goes_with_a_killed_exporter(lab: Lab) -> None:
    exporter = lab.exporter("desk: {FobEmulatedKeychain: {battery: 50}}", "killed")
    lab.acquire("desk", "*/desk/NetworkFobKeychain")
    first, = benches(lab)
    fob.Control(first / "keychain.sock").ask("state")
    os.kill(keychain_in(first), signal.SIGKILL)
    exporter.until("restart needed")
    exporter.until("queued update")
    second, = benches(lab)
    control = fob.Control(second / "keychain.sock")
    assert first != second and control.ask("state")["battery"] == 50
    with control.subscribe() as events:
        exporter.kill()
        expect_end(events)


def keychain_in(folder: pathlib.Path) -> int:
    """The process id of the keychain whose folder that is."""
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        words = entry.read_bytes().split(b"\0")
        if b"emulate" in words and os.fsencode(folder / "keychain.sock") in words:
            return int(entry.parent.name)
    raise AssertionError(f"no keychain lives in {folder}")
