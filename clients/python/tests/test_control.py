"""Control sockets that are gone, late and wrong."""
import contextlib
import pathlib
import socket
import time
import typing

import pytest
from bad_server import BadServer, Play, keeps, says

import fob


@contextlib.contextmanager
def speaking(path: pathlib.Path, *plays: Play) -> typing.Iterator[BadServer]:
    server = BadServer(socket.AF_UNIX, *plays)
    server.listen(str(path))
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "s"


def test_a_socket_that_is_not_there_is_a_failed_connection(path: pathlib.Path) -> None:
    with pytest.raises(fob.ConnectionFailed, match="No such file"):
        fob.Control(path).ask("state")


def test_an_answer_is_the_object_of_one_line_however_it_is_cut(path: pathlib.Path) -> None:
    with speaking(path, says(b'{"ok":', b'true,"a":"\xc3', b'\xa9"}', b"\n")) as server:
        assert fob.Control(path).ask("wait", {"for": "ready"}, within_ms=5)["a"] == "é"
        assert server.heard == [b'{"do": "wait", "for": "ready", "within_ms": 5}\n']


def test_a_refusal_has_the_words_of_fob(path: pathlib.Path) -> None:
    with speaking(path, says(b'{"ok":false,"error":"wrong PIN","state":"EMERGENCY_SENT"}\n')):
        with pytest.raises(fob.Refused, match="disarm: wrong PIN") as caught:
            fob.Control(path).ask("disarm", pin="0000")
    assert caught.value.answer["state"] == "EMERGENCY_SENT"


@pytest.mark.parametrize("part", [b"", b'{"ok":true}'])
def test_an_answer_without_end_is_a_cut_connection(path: pathlib.Path, part: bytes) -> None:
    with speaking(path, says(part)), pytest.raises(fob.ConnectionCut):
        fob.Control(path).ask("state")


@pytest.mark.parametrize("wrong", [b"{\n", b"[]\n", b"\xff\n", b"\n"])
def test_what_is_no_object_is_malformed(path: pathlib.Path, wrong: bytes) -> None:
    with speaking(path, says(wrong)), pytest.raises(fob.Malformed):
        fob.Control(path).ask("state")


def test_a_late_answer_times_out(path: pathlib.Path) -> None:
    held: typing.List[BadServer] = []
    with speaking(path, keeps(held, b'{"ok":true')) as server:
        held.append(server)
        begun = time.monotonic()
        with pytest.raises(fob.TimedOut):
            fob.Control(path, timeout=0.2).ask("state")
        assert time.monotonic() - begun < 5


def test_the_pages_of_a_list_are_put_together(path: pathlib.Path) -> None:
    with speaking(path, says(b'{"ok":true,"rows":[{"n":1}],"more":7}\n'),
                  says(b'{"ok":true,"rows":[{"n":2}]}\n')) as server:
        assert fob.Control(path).rows("presses") == [{"n": 1}, {"n": 2}]
        assert b'"after": 7' in server.heard[1]


def test_a_subscription_begins_before_it_returns_and_ends_with_fob(path: pathlib.Path) -> None:
    with speaking(path, says(b'{"ok":true}\n{"type":"led"}\n{"type":"sta')):
        with fob.Control(path).subscribe() as told:
            assert list(told) == [{"type": "led"}]
    with speaking(path.with_name("t"), says(b'{"ok":false,"error":"busy"}\n')):
        with pytest.raises(fob.Refused):
            fob.Control(path.with_name("t")).subscribe()


@pytest.mark.parametrize("board, error", [
    ("qemu", fob.Unsupported), ("microbit", fob.Unsupported), ("emulated", fob.Refused)])
def test_what_a_board_in_qemu_has_no_part_for_is_unsupported(
        path: pathlib.Path, board: str, error: typing.Type[fob.FobError]) -> None:
    with speaking(path, says(b'{"ok":false,"error":"no such part"}\n')):
        with pytest.raises(error, match="no such part"):
            fob.Keychain(fob.Control(path), "pty:line", board).clock(drift_ppm=5)
