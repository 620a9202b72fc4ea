"""Keychains of this host as labgrid's resources and drivers."""
import json
import os
import pathlib
import subprocess
import sys
import typing

import pexpect
import pytest
from labgrid import Environment, target_factory
from labgrid.protocol import ConsoleProtocol, DigitalOutputProtocol, PowerProtocol
from labgrid.target import Target

import fob
from fob.labgrid.exporter import KeychainExport
from lab import environment, environment_file, expect_end


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> typing.Iterator[typing.Any]:
    path = environment_file(tmp_path_factory.mktemp("e"), "      FobEmulatedKeychain: {}")
    env = Environment(str(path))
    yield env.get_target()
    env.cleanup()


@pytest.fixture(scope="module")
def driver(target: Target) -> typing.Any:
    return target.get_driver("FobKeychainDriver")


def test_a_digital_output_presses_the_button_holds_it_and_lets_go(
        target: Target, driver: typing.Any) -> None:
    button = target.get_driver(DigitalOutputProtocol)
    assert button.get() is False
    for _ in range(2):
        button.set(True)
        assert button.get() is True
    for _ in range(2):
        button.set(False)
        assert button.get() is False
    driver.keychain.stick()
    for status in (True, False):
        with pytest.raises(fob.Refused):
            button.set(status)
    driver.keychain.unstick()


def test_a_held_button_is_an_event_of_the_keychain(target: Target, driver: typing.Any) -> None:
    before = driver.keychain.state["unacked"]
    button = target.get_driver(DigitalOutputProtocol)
    button.set(True)
    driver.keychain.until(lambda state: state["unacked"] > before)
    button.set(False)


def test_power_goes_and_comes_back_with_the_charge_that_it_had(
        target: Target, driver: typing.Any) -> None:
    power, keychain = target.get_driver(PowerProtocol), driver.keychain
    keychain.battery(41)
    boot = keychain.state["boot"]
    for _ in range(2):
        power.off()
        assert power.get() is False
    with pytest.raises(fob.Refused, match="no power"):
        driver.press()
    for _ in range(2):
        power.on()
        assert power.get() is True
    assert keychain.state["battery"] == 41 and keychain.state["boot"] == boot + 1
    power.off()
    power.cycle()
    assert keychain.state["boot"] == boot + 2


def test_a_power_cycle_and_a_reset_are_one_boot_each_with_the_plug_pulled_too(
        target: Target, driver: typing.Any) -> None:
    power, keychain = target.get_driver(PowerProtocol), driver.keychain
    power.delay = 0.05
    boot = keychain.state["boot"]
    keychain.unplug()
    power.cycle()
    keychain.replug()
    assert keychain.state["boot"] == boot + 1
    keychain.until(lambda state: state.get("boot") == boot + 2, power.reset)


def test_frames_are_read_as_lines_beside_a_bridge_and_none_is_written(
        target: Target, driver: typing.Any) -> None:
    console = target.get_driver(ConsoleProtocol)
    with fob.Bench(device=driver.line) as bench:
        event = driver.press()
        bench.alarm.until("EMERGENCY_SENT")
        driver.keychain.wait("acked", event=event)
        line = console.expect(rb'\{[^\n]*"EVENT"[^\n]*\n')[2].group()
        assert json.loads(line)["kind"] == "frame"
        assert event in bench.alarm.presses
    with pytest.raises(fob.Unsupported, match="frames, not characters"):
        console.sendline("help")
    power = target.get_driver(PowerProtocol)
    power.off()
    console.settle(0.2)
    with pytest.raises(pexpect.TIMEOUT):
        console.read(timeout=0.1)
    power.on()


def test_a_keychain_that_runs_is_used_as_it_stands(tmp_path: pathlib.Path) -> None:
    with fob.Bench(capture=False) as bench:
        control = bench.folder / "keychain.sock"
        path = environment_file(
            tmp_path, f"      FobEmulatedKeychain:\n        control: {control}")
        env = Environment(str(path))
        event = env.get_target().get_driver("FobKeychainDriver").press()
        bench.keychain.wait("acked", event=event)
        env.cleanup()
        assert bench.keychain.state["boot"] == 1
    with pytest.raises(Exception, match="not available"):
        Environment(str(path)).get_target().get_driver("FobKeychainDriver")


def test_an_exporter_serves_a_keychain_that_runs_for_as_long_as_it_is_acquired() -> None:
    # labgrid's classes say nothing of their types.
    make: typing.Any = target_factory
    exported: typing.Any = KeychainExport
    with fob.Bench(capture=False) as bench:
        export = exported(
            {"cls": "FobEmulatedKeychain",
             "params": {"control": str(bench.folder / "keychain.sock")}}, host="127.0.0.1")
        export.poll()
        assert export.avail and export.params["port"] is None
        export.acquire("a place")
        target = make.make_target("remote", {
            "resources": {"NetworkFobKeychain": export.args}, "drivers": {"FobKeychainDriver": {}}})
        driver = target.get_driver("FobKeychainDriver")
        bench.keychain.wait("acked", event=driver.press())
        with driver.keychain.control.subscribe() as events:
            export.release()
            expect_end(events)
        with pytest.raises(fob.FobError):
            driver.press()
        target.cleanup()
    export.poll()
    assert not export.avail


def test_the_pytest_plugin_of_labgrid_has_it_by_an_environment(tmp_path: pathlib.Path) -> None:
    path = environment_file(tmp_path, "      FobEmulatedKeychain: {battery: 12}")
    (tmp_path / "test_it.py").write_text('''
import fob

def test_a_press(target):
    keychain = target.get_driver("FobKeychainDriver")
    assert keychain.keychain.state["battery"] == 12
    with fob.Bench(device=keychain.line) as bench:
        keychain.press()
        bench.alarm.until("EMERGENCY_SENT")
''', "utf-8")
    (tmp_path / "t").mkdir()
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--lg-env", str(path)],
        cwd=tmp_path, env=environment(TMPDIR=str(tmp_path / "t")), capture_output=True, text=True,
        timeout=60)
    assert ran.returncode == 0 and "1 passed" in ran.stdout, ran.stdout
    assert os.listdir(tmp_path / "t") == [], "a keychain is left"


def test_a_fob_that_cannot_start_is_an_error_with_its_reason(tmp_path: pathlib.Path) -> None:
    path = environment_file(tmp_path, "      FobEmulatedKeychain: {program: no-such-fob}")
    with pytest.raises(fob.ProcessFailed, match="put fob on the PATH"):
        Environment(str(path)).get_target().get_driver("FobKeychainDriver")
