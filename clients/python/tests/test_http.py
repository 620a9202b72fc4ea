"""Answers of HTTP/1.1, however they are cut."""
import random

import pytest

from fob import api
from fob.errors import ConnectionCut, Malformed, Problem
from fob.http import HEAD_LIMIT, Answer, decode, encode

SEED = random.randrange(2**32)
BODIES = [
    (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"hello"),
    (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
    (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", b""),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n"
     b"0\r\nTrailer: 1\r\n\r\n", b"abc0123456789"),
]


@pytest.mark.parametrize("whole, body", BODIES)
def test_an_answer_is_the_same_wherever_it_is_cut(whole: bytes, body: bytes) -> None:
    for cut in range(len(whole) + 1):
        answer = Answer()
        answer.feed(whole[:cut])
        assert answer.is_whole == (cut == len(whole)), cut
        answer.feed(whole[cut:])
        assert answer.is_whole and answer.keeps_alive and answer.take() == body, cut


def test_an_answer_without_length_ends_with_its_connection() -> None:
    answer = Answer()
    answer.feed(b"HTTP/1.1 200 OK\r\n\r\nhel")
    answer.feed(b"lo")
    assert not answer.is_whole
    answer.end()
    assert answer.is_whole and not answer.keeps_alive and answer.take() == b"hello"


@pytest.mark.parametrize("part", [
    b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
])
def test_an_answer_that_is_cut_short_is_no_answer(part: bytes) -> None:
    answer = Answer()
    answer.feed(part)
    with pytest.raises(ConnectionCut):
        answer.end()


@pytest.mark.parametrize("wrong", [
    b"SSH-2.0-OpenSSH\r\n\r\n", b"HTTP/1.1 2x0 OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nnonsense\r\n\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n", b"x" * (HEAD_LIMIT + 1),
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
])
def test_what_is_no_http_is_malformed(wrong: bytes) -> None:
    with pytest.raises(Malformed):
        Answer().feed(wrong)


def test_a_connection_on_which_more_came_than_was_asked_for_is_not_kept() -> None:
    answer = Answer()
    answer.feed(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc")
    assert answer.take() == b"a" and not answer.keeps_alive


def test_random_bytes_are_refused_or_wait_and_never_crash() -> None:
    random_ = random.Random(SEED)
    for round_ in range(2000):
        whole = bytearray(random_.choice(BODIES)[0])
        for _ in range(random_.randrange(1, 6)):
            whole[random_.randrange(len(whole))] = random_.randrange(256)
        answer = Answer()
        try:
            while whole:
                size = random_.randrange(1, 20)
                answer.feed(bytes(whole[:size]))
                del whole[:size]
            answer.end()
        except (Malformed, ConnectionCut):
            continue
        assert answer.is_whole, f"seed {SEED}, round {round_}"


def test_a_refusal_becomes_a_problem_with_its_fields() -> None:
    answer = Answer()
    answer.feed(b"HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n")
    said = b'{"status":429,"code":"pinBlocked","detail":"wait","title":"t","type":"u","field":"p"}'
    with pytest.raises(Problem) as caught:
        decode(api.status.get(), answer, said)
    problem = caught.value
    assert (problem.status, problem.code, problem.detail) == (429, "pinBlocked", "wait")
    assert problem.more == {"field": "p"} and problem.retry_after == 7


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"code":5}', b""])
def test_a_refusal_of_a_proxy_is_a_problem_without_a_code_of_fob(body: bytes) -> None:
    answer = Answer()
    answer.feed(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
    with pytest.raises(Problem) as caught:
        decode(api.status.get(), answer, body)
    assert (caught.value.status, caught.value.code) == (502, "noProblem")


def test_a_request_says_all_that_it_has_and_no_more() -> None:
    sent = encode(api.incidents.post_current_disarm({"pin": "2468"}), "host:1", "fob_x").decode()
    head, _, body = sent.partition("\r\n\r\n")
    assert head.split("\r\n")[0] == "POST /v1/incidents/current/disarm HTTP/1.1"
    assert "Authorization: Bearer fob_x" in head and body == '{"pin": "2468"}'
    plain = encode(api.incidents.get(limit=5), "host:1", None).decode()
    assert plain.startswith("GET /v1/incidents?limit=5 HTTP/1.1") and "before" not in plain
    assert "Authorization" not in plain


def test_no_value_leaves_its_place() -> None:
    assert api.devices.get_by_id_claim("../x?y").target == "/v1/devices/..%2Fx%3Fy/claim"
    with pytest.raises(ValueError):
        encode(api.status.get(), "host:1", "fob_x\r\nX-Other: 1")
