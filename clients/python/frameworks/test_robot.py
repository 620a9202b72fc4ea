"""The library for Robot Framework, as a suite of its users has it."""
import pathlib
import subprocess
import sys
import typing
import xml.etree.ElementTree as ET

from lab import FOLDER, environment

EXAMPLE = FOLDER.parent.parent / "examples" / "robot" / "alarm.robot"
SUITE = """
*** Settings ***
Library    fob.robot    artifacts=kept    battery=33

*** Test Cases ***
It Leaves Logs And A Capture
    Press    hold=300 ms
    Alarm Should Become    EMERGENCY_SENT
    Alarm Should Be    ALERT_COUNTDOWN

It Begins Calm On A New Bench
    Alarm Should Be    NO_EMERGENCY
    ${state}=    Ask Keychain    state
    Should Be Equal As Integers    ${state}[battery]    33

It Is Slow
    Press
    Latency Should Be Below    1 ms

It Holds The Button
    Hold
    Alarm Should Become    EMERGENCY_SENT
    Stick
    Release
    ${frames}=    Get Frames    EVENT
    Should Not Be Empty    ${frames}
    Save Capture    ${OUTPUT DIR}/line.pcapng

It Begins Calm On The Same Bench
    ${state}=    Ask Keychain    state
    Should Be Equal    ${state}[stuck]    ${False}
    Alarm Should Be    NO_EMERGENCY

It Has No Such State
    Alarm Should Become    EMERGENCY_DREAMT
"""


def played(folder: pathlib.Path, *words: str) -> typing.Tuple[int, str, typing.Dict[str, str]]:
    """The exit code, what was said, and of each test its status and why."""
    (folder / "t").mkdir()
    ran = subprocess.run(
        [sys.executable, "-m", "robot", "--outputdir", "out", *words], cwd=folder,
        env=environment(TMPDIR=str(folder / "t")), capture_output=True, text=True, timeout=120)
    assert list((folder / "t").iterdir()) == [], "a bench is left"
    found = {}
    for test in ET.parse(folder / "out" / "output.xml").iter("test"):
        status = test.find("status")
        assert status is not None
        found[str(test.get("name"))] = f"{status.get('status')} {status.text or ''}"
    return ran.returncode, ran.stdout + ran.stderr, found


def test_the_example_passes_where_it_is_copied_to(tmp_path: pathlib.Path) -> None:
    (tmp_path / "alarm.robot").write_text(EXAMPLE.read_text("utf-8"), "utf-8")
    status, said, tests = played(tmp_path, "alarm.robot")
    assert status == 0 and len(tests) == 5, said


def test_a_failed_test_is_collected_and_the_next_begins_calm(tmp_path: pathlib.Path) -> None:
    (tmp_path / "suite.robot").write_text(SUITE, "utf-8")
    status, said, tests = played(tmp_path, "suite.robot")
    assert status == 3, said
    failed = [name for name, one in tests.items() if one.startswith("FAIL")]
    assert failed == ["It Leaves Logs And A Capture", "It Is Slow", "It Has No Such State"]
    assert "The alarm is EMERGENCY_SENT, not ALERT_COUNTDOWN" in tests[failed[0]]
    assert "lit came after 0." in tests[failed[1]]
    assert "EMERGENCY_SENDING_FAILED" in tests[failed[2]], "it names those that there are"
    place = tmp_path / "out" / "kept" / "Suite.It-Leaves-Logs-And-A-Capture"
    assert str(place) in tests[failed[0]]
    assert "ALERT_COUNTDOWN" in (place / "junit.xml").read_text("utf-8")
    assert (place / "wire.pcapng").stat().st_size > 500
    assert (tmp_path / "out" / "line.pcapng").stat().st_size > 1000


def test_what_a_keychain_of_ones_own_cannot_do_skips_the_test(tmp_path: pathlib.Path) -> None:
    import fob
    with fob.Bench(capture=False) as other:
        # The emulated keychain of another bench, whose bridge lets go of it.
        other.alarm.close()
        next(one for one in other.processes if one.name == "bridge").stop()
        (tmp_path / "own.robot").write_text(
            f"*** Settings ***\nLibrary    fob.robot    device={other.keychain.line}\n"
            "*** Test Cases ***\nA Press\n    Press\nNone\n    Alarm Should Be    NO_EMERGENCY\n")
        status, said, tests = played(tmp_path, "own.robot")
    assert status == 0 and tests["None"] == "PASS ", said
    assert tests["A Press"].startswith("SKIP") and "only a finger" in tests["A Press"]


def test_each_keyword_is_documented_with_its_types() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "robot.libdoc", "fob.robot", "show"], env=environment(),
        capture_output=True, text=True, timeout=60, check=True).stdout
    keywords = shown.split("## Keywords")[1].split("\n### ")[1:]
    assert len(keywords) > 25
    for keyword in keywords:
        assert keyword.rstrip().split("\n\n")[-1].rstrip().endswith((".", "…")), keyword
    assert "timedelta" in shown
