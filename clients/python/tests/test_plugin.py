"""The plugin of pytest, as a project of its own has it."""
import os
import pathlib
import subprocess
import sys
import typing
import xml.etree.ElementTree as ET

import pytest

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src"
PROJECT = '''
import fob
import pytest

def test_a_number(fob_seed):
    print("seed", fob_seed)

def test_a_press(keychain, alarm, wire):
    assert wire.path.exists()
    alarm.latency(keychain.press())

def test_that_fails(keychain, alarm):
    keychain.press()
    alarm.until("EMERGENCY_SENT")
    keychain.stick()
    assert False, "on purpose"

def test_behind_it(keychain, alarm):
    assert alarm.state == "NO_EMERGENCY" and not keychain.state["stuck"]
    keychain.unplug()

def test_behind_a_pulled_plug(keychain):
    assert keychain.state["plugged"]

def test_of_what_it_cannot_do():
    raise fob.Unsupported("it has no clock")
'''


def played(folder: pathlib.Path, *words: str) -> typing.Tuple[int, str]:
    (folder / "test_project.py").write_text(PROJECT, "utf-8")
    (folder / "t").mkdir(exist_ok=True)
    ran = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-p", "fob.plugin", "-p", "no:cacheprovider", "-rs",
         "--fob-artifacts", "kept", *words],
        cwd=folder, env=dict(os.environ, PYTHONPATH=str(SOURCE), TMPDIR=str(folder / "t")),
        capture_output=True, text=True, timeout=120)
    assert list((folder / "t").glob("fob-*")) == [], "a bench is left"
    return ran.returncode, ran.stdout + ran.stderr


def test_a_failed_test_is_collected_and_those_behind_it_begin_calm(tmp_path: pathlib.Path) -> None:
    status, said = played(tmp_path, "--junitxml", "all.xml", "--fob-seed", "7", "-s")
    assert status == 1 and "1 failed, 4 passed, 1 skipped" in said, said
    assert "--fob-seed=7" in said and "it has no clock" in said
    assert "collected in kept" in said
    place, = (tmp_path / "kept").iterdir()
    assert "on purpose" in (place / "junit.xml").read_text("utf-8")
    assert (place / "wire.pcapng").stat().st_size > 1000
    rows = {row.get("name"): row.get("value") for row in ET.parse(tmp_path / "all.xml").iter(
        "property")}
    assert int(rows["fob_press_to_light_us"] or 0) > 15_000 and rows["fob_battery_percent"] == "87"
    seeds = [line for line in said.splitlines() if "seed " in line]
    _, again = played(tmp_path, "--fob-seed", "7", "-s", "-k", "a_number")
    _, other = played(tmp_path, "--fob-seed", "8", "-s", "-k", "a_number")
    assert seeds[-1] in again and seeds[-1] not in other


def test_each_worker_of_xdist_has_its_own_bench(tmp_path: pathlib.Path) -> None:
    status, said = played(tmp_path, "-n", "2")
    assert status == 1 and "1 failed, 4 passed, 1 skipped" in said, said


def test_a_keychain_of_ones_own_has_no_hands_and_its_tests_are_skipped(
        tmp_path: pathlib.Path) -> None:
    import fob
    with fob.Bench(capture=False) as other:
        # The emulated keychain of another bench, whose bridge lets go of it.
        other.alarm.close()
        bridge = next(one for one in other.processes if one.name == "bridge")
        bridge.stop()
        status, said = played(tmp_path, "--fob-device", other.keychain.line, "-k",
                              "a_press or behind_a_pulled_plug")
    assert status == 0 and "2 skipped" in said, said
    assert "is no emulated keychain" in said


@pytest.mark.parametrize("words, why", [
    (["--fob-program", "no-such-fob"], "put fob on the PATH"),
    (["--fob-device", "nonsense"], "nonsense"),
])
def test_a_bench_that_cannot_start_is_an_error_with_its_reason(
        tmp_path: pathlib.Path, words: typing.List[str], why: str) -> None:
    status, said = played(tmp_path, *words, "-k", "a_press")
    assert status == 1 and why in said, said
