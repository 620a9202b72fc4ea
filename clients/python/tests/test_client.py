"""Clients before a server that is bad, by threads and by asyncio."""
import asyncio
import threading
import time
import typing

import pytest
from bad_server import BadServer, json_answer, keeps, resets, says, serving
from both import Ask, both, unused_port

import fob
from fob import api

GOOD = json_answer(b'{"state":"NO_EMERGENCY"}')


@both
def test_an_answer_is_what_the_server_says(ask: Ask) -> None:
    with serving(says(GOOD)) as server:
        assert ask(server.url)["state"] == "NO_EMERGENCY"
        assert b"Authorization: Bearer fob_x\r\n" in server.heard[0]


@both
def test_a_port_at_which_nobody_listens_is_a_failed_connection(ask: Ask) -> None:
    with unused_port() as url, pytest.raises(fob.ConnectionFailed):
        ask(url)


@both
@pytest.mark.parametrize("part", [b"", b"HTTP/1.1 2", GOOD[:-1]])
def test_an_answer_that_is_cut_short_is_a_cut_connection(ask: Ask, part: bytes) -> None:
    with serving(says(part)) as server, pytest.raises(fob.ConnectionCut):
        ask(server.url)
    assert len(server.heard) == 1, "it was asked twice, and may have been done twice"


@both
def test_a_reset_is_a_cut_connection(ask: Ask) -> None:
    with serving(resets) as server, pytest.raises(fob.ConnectionCut):
        ask(server.url)


@both
@pytest.mark.parametrize("part", [b"", GOOD[:20], GOOD[:-1]])
def test_a_slow_answer_times_out_after_the_seconds_that_were_given(ask: Ask, part: bytes) -> None:
    server: typing.List[BadServer] = []
    with serving(keeps(server, part)) as slow:
        server.append(slow)
        begun = time.monotonic()
        with pytest.raises(fob.TimedOut):
            ask(slow.url, timeout=0.2)
        assert 0.15 < time.monotonic() - begun < 5


@both
def test_a_server_that_drips_does_not_move_the_deadline(ask: Ask) -> None:
    def drips(connection: typing.Any, request: bytes) -> None:
        for byte in GOOD[:-1]:
            connection.sendall(bytes([byte]))
            if held[0].released.wait(0.05):
                return
    held: typing.List[BadServer] = []
    with serving(drips) as server:
        held.append(server)
        begun = time.monotonic()
        with pytest.raises(fob.TimedOut):
            ask(server.url, timeout=0.3)
        assert time.monotonic() - begun < 3


@both
@pytest.mark.parametrize("said", [
    b"220 mail.example.org ESMTP\r\n\r\n", json_answer(b"{"), json_answer(b"\xff\xfe"),
    json_answer(b"[" * 100_000)])
def test_what_is_no_answer_of_fob_is_malformed(ask: Ask, said: bytes) -> None:
    with serving(says(said)) as server, pytest.raises(fob.Malformed):
        ask(server.url)


@both
def test_a_refusal_is_a_problem(ask: Ask) -> None:
    said = b'{"code":"unknownToken","detail":"no such token","status":401,"title":"","type":""}'
    with serving(says(json_answer(said, b"401 Unauthorized"))) as server:
        with pytest.raises(fob.Problem) as caught:
            ask(server.url)
    assert (caught.value.status, caught.value.code) == (401, "unknownToken")
    assert caught.value.detail == "no such token"


@pytest.mark.parametrize("wrong", ["", "127.0.0.1:8787", "ftp://host", "http://host/path"])
def test_what_is_no_address_is_refused_before_anything_is_sent(wrong: str) -> None:
    for kind in (fob.Client, fob.AsyncClient):
        with pytest.raises(ValueError):
            kind(wrong)


def serves_two(connection: typing.Any, request: bytes) -> None:
    connection.sendall(GOOD)
    if connection.recv(65536):
        connection.sendall(GOOD)


def test_a_kept_connection_serves_one_request_after_the_other() -> None:
    with serving(serves_two) as server, fob.Client(server.url) as client:
        assert client.ask(api.status.get()) == client.ask(api.status.get())
        assert len(server.heard) == 1


def cuts_the_second(connection: typing.Any, request: bytes) -> None:
    connection.sendall(GOOD)
    connection.recv(65536)


def test_what_changes_something_is_not_sent_again_when_a_kept_connection_is_cut() -> None:
    with serving(cuts_the_second, says(GOOD)) as server, fob.Client(server.url) as client:
        client.ask(api.status.get())
        with pytest.raises(fob.ConnectionCut):
            client.ask(api.incidents.post_current_resume())
        assert len(server.heard) == 1


@pytest.mark.parametrize("is_async", [False, True])
def test_what_only_reads_is_asked_again_on_a_new_connection(is_async: bool) -> None:
    async def twice(url: str) -> str:
        async with fob.AsyncClient(url) as client:
            await client.ask(api.status.get())
            return (await client.ask(api.status.get()))["state"]
    with serving(cuts_the_second, says(GOOD)) as server:
        if is_async:
            assert asyncio.run(twice(server.url)) == "NO_EMERGENCY"
        else:
            with fob.Client(server.url) as client:
                client.ask(api.status.get())
                assert client.ask(api.status.get())["state"] == "NO_EMERGENCY"
        assert len(server.heard) == 2


def test_threads_that_share_a_client_each_get_their_own_answer() -> None:
    def echoes(connection: typing.Any, request: bytes) -> None:
        while request:
            target = request.split(b" ")[1]
            connection.sendall(json_answer(b'{"target":"' + target + b'"}'))
            request = connection.recv(65536)
    right: typing.List[bool] = []

    def asks(client: fob.Client, name: int) -> None:
        for round_ in range(50):
            said: typing.Any = client.ask(api.incidents.get(limit=name * 100 + round_))
            right.append(said["target"] == f"/v1/incidents?limit={name * 100 + round_}")

    with serving(echoes) as server, fob.Client(server.url) as client:
        threads = [threading.Thread(target=asks, args=(client, name)) for name in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert len(right) == 8 * 50 and all(right)


def test_a_cancelled_task_leaves_no_answer_for_the_next_request() -> None:
    held: typing.List[BadServer] = []

    async def cancel_and_ask(server: BadServer) -> str:
        async with fob.AsyncClient(server.url) as client:
            try:
                await asyncio.wait_for(client.ask(api.status.get()), 0.2)
            except asyncio.TimeoutError:
                pass
            return (await client.ask(api.status.get()))["state"]
    with serving(keeps(held, GOOD[:-1]), says(GOOD)) as server:
        held.append(server)
        assert asyncio.run(cancel_and_ask(server)) == "NO_EMERGENCY"
