"""Whatever ends a test, no process and no file of its bench stays behind."""
import os
import pathlib
import signal
import subprocess
import sys
import typing

import pytest

import fob

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src"
# A background job of a shell has SIGINT ignored, and hands that on.
PROGRAM = """
import signal
import sys
import fob
signal.signal(signal.SIGINT, signal.default_int_handler)
with fob.Bench(artifacts=sys.argv[1]) as bench:
    print(*(process.pid for process in bench.processes), flush=True)
    {0}
"""


def begun(tmp_path: pathlib.Path, then: str) -> "subprocess.Popen[str]":
    (tmp_path / "t").mkdir()
    return subprocess.Popen(
        [sys.executable, "-B", "-c", PROGRAM.format(then), str(tmp_path / "artifacts")],
        env=dict(os.environ, PYTHONPATH=str(SOURCE), TMPDIR=str(tmp_path / "t")),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def descriptors(process: "subprocess.Popen[str]") -> typing.List[int]:
    """Those by which the end of each process of its bench is heard."""
    assert process.stdout is not None
    pids = [int(word) for word in process.stdout.readline().split()]
    assert len(pids) == 3
    return [os.pidfd_open(pid) for pid in pids]


def expect_nothing(tmp_path: pathlib.Path, watched: typing.List[int]) -> None:
    import select
    for descriptor in watched:
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        assert waiting.poll(30_000), "a process is left"
        os.close(descriptor)
    assert list((tmp_path / "t").iterdir()) == []


needs_pidfd = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="Python 3.9 or later")
FOREVER = "import threading; threading.Event().wait()"


@needs_pidfd
def test_an_exception_collects_and_ends_everything(tmp_path: pathlib.Path) -> None:
    process = begun(tmp_path, "raise ValueError('in vain')")
    watched = descriptors(process)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 1 and "ValueError: in vain" in said
    expect_nothing(tmp_path, watched)
    assert "ValueError: in vain" in (tmp_path / "artifacts/bench/junit.xml").read_text("utf-8")


@needs_pidfd
def test_ctrl_c_ends_everything(tmp_path: pathlib.Path) -> None:
    process = begun(tmp_path, FOREVER)
    watched = descriptors(process)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in said
    expect_nothing(tmp_path, watched)
    assert (tmp_path / "artifacts/bench/keychain.log").exists()


@needs_pidfd
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_python_leaves_nothing(tmp_path: pathlib.Path, sign: signal.Signals) -> None:
    process = begun(tmp_path, FOREVER)
    watched = descriptors(process)
    assert process.stderr is not None and process.stdout is not None
    process.send_signal(sign)
    process.wait(60)
    process.stdout.close()
    process.stderr.close()
    # The shell that waited removes the folder behind the last process: its own end is the sign.
    expect_ended_guard(tmp_path)
    expect_nothing(tmp_path, watched)


def expect_ended_guard(tmp_path: pathlib.Path) -> None:
    """Waits for the shell of this folder, which names it in its command line."""
    import select
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if b"fob-guard" in words and any(os.fsencode(tmp_path) in word for word in words):
                descriptor = os.pidfd_open(int(entry.name))
                waiting = select.poll()
                waiting.register(descriptor, select.POLLIN)
                assert waiting.poll(30_000), "the shell is left"
                os.close(descriptor)
        except (FileNotFoundError, ProcessLookupError):
            continue


def test_a_program_that_is_not_there_is_named_and_leaves_nothing(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(fob.ProcessFailed, match="no-such-fob.*FOB"):
        fob.Bench(program="no-such-fob").start()
    assert list(tmp_path.iterdir()) == []


def test_a_fob_that_ends_at_once_is_told_with_its_words(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(fob.ProcessFailed, match="battery"):
        fob.Bench(battery=900).start()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_too_long_a_name_is_refused_with_the_reason(
        tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / ("x" * 100)
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    with pytest.raises(fob.FobError, match="107 bytes"):
        fob.Bench().start()
    assert list(place.iterdir()) == []


def test_a_bench_that_does_not_run_says_so() -> None:
    with pytest.raises(fob.ProcessFailed, match="start it"):
        fob.Bench().keychain.press()
