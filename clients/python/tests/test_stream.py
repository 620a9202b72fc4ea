"""Streams of events that are cut, wrong and late, by threads and by asyncio."""
import random
import re
import socket
import threading
import time
import typing

import pytest
from bad_server import STREAM, BadServer, json_answer, keeps, says, serving
from both import both_streams, unused_port

import fob

Read = typing.Callable[[str, int], typing.List[fob.Event]]
# A server that says so is asked again at once.
SOON = b"retry: 1\n\n"
SEED = random.randrange(2**32)


def event(number: int) -> bytes:
    return b"id: %d\nevent: line\ndata: {\"id\":%d}\n\n" % (number, number)


@both_streams
def test_a_stream_that_is_cut_resumes_and_each_event_comes_once(read: Read) -> None:
    plays = [says(STREAM + SOON + event(1) + event(2) + event(3)[:12]),
             says(b""), says(b"220 no HTTP\r\n\r\n"),
             says(json_answer(b"{}", b"503 Busy")),
             says(STREAM + event(3)), says(STREAM + event(4))]
    with serving(*plays) as server:
        assert [one.id for one in read(server.url, 4)] == ["1", "2", "3", "4"]
        first, *later = server.heard[:6]
        assert b"?after=0 " in first and b"Last-Event-ID" not in first
        assert all(b"Last-Event-ID: 2\r\n" in one and b"after" not in one for one in later[:4])
        assert b"Last-Event-ID: 3\r\n" in later[4]


@both_streams
def test_a_stream_that_is_cut_anywhere_again_and_again_loses_and_repeats_nothing(
        read: Read) -> None:
    random_ = random.Random(SEED)
    whole = 60

    def cuts(connection: socket.socket, request: bytes) -> None:
        found = re.search(rb"Last-Event-ID: (\d+)", request)
        begun = int(found[1]) + 1 if found else 1
        sent = STREAM + SOON + b"".join(event(number) for number in range(begun, whole + 1))
        sent = sent[:random_.randrange(len(sent) + 1) if begun < whole else len(sent)]
        while sent:
            size = random_.randrange(1, 300)
            connection.sendall(sent[:size])
            sent = sent[size:]

    with serving(cuts) as server:
        ids = [one.id for one in read(server.url, whole)]
    assert ids == [str(number) for number in range(1, whole + 1)], f"seed {SEED}"


@both_streams
def test_a_chunked_stream_that_ends_properly_resumes_too(read: Read) -> None:
    head = STREAM[:-2] + b"Transfer-Encoding: chunked\r\n\r\n"
    body = SOON + event(1)
    whole = head + b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
    with serving(says(whole), says(STREAM + event(2))) as server:
        assert [one.id for one in read(server.url, 2)] == ["1", "2"]


@both_streams
@pytest.mark.parametrize("status", [b"401 Unauthorized", b"403 Forbidden", b"404 Not Found"])
def test_a_stream_that_is_refused_for_good_is_not_asked_again(read: Read, status: bytes) -> None:
    said = b'{"code":"scopeNeeded","detail":"","status":403}'
    with serving(says(json_answer(said, status))) as server:
        with pytest.raises(fob.Problem) as caught:
            read(server.url, 1)
        assert caught.value.code == "scopeNeeded" and len(server.heard) == 1


def test_an_event_that_does_not_come_times_out_and_the_stream_goes_on() -> None:
    held: typing.List[BadServer] = []
    with serving(keeps(held, STREAM + event(1))) as server:
        held.append(server)
        with fob.Client(server.url) as client, client.events() as stream:
            first = stream.next_event(within=30)
            assert first is not None and first.id == "1"
            with pytest.raises(fob.TimedOut):
                stream.next_event(within=0.1)
            assert len(server.heard) == 1, "a deadline of the caller cuts no connection"


def test_a_server_that_is_gone_does_not_hold_a_deadline_up() -> None:
    with unused_port() as url, fob.Client(url) as client, client.events() as stream:
        begun = time.monotonic()
        with pytest.raises(fob.TimedOut):
            stream.next_event(within=0.2)
        assert time.monotonic() - begun < 5


def test_close_ends_the_iteration_of_another_thread() -> None:
    held: typing.List[BadServer] = []
    seen = threading.Event()
    with serving(keeps(held, STREAM + event(1))) as server:
        held.append(server)
        client = fob.Client(server.url)
        stream = client.events()

        def reads() -> None:
            for _ in stream:
                seen.set()
        reader = threading.Thread(target=reads)
        reader.start()
        assert seen.wait(30)
        stream.close()
        reader.join(30)
        assert not reader.is_alive()


def test_a_server_may_not_ask_for_more_than_a_minute_of_silence() -> None:
    from fob.events import EventParser, Resumption
    place, parser = Resumption("/v1/events", ()), EventParser()
    parser.feed(b"retry: 86400000\n\n")
    place.note(parser)
    assert place.delay(None) == 60
    assert place.delay(fob.Problem(503, "busy", "", retry_after=86400)) == 60
