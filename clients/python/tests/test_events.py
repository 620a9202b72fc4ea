"""Server-sent events: whatever is sent is read, wherever the bytes are cut."""
import random
import typing

import pytest

from fob.errors import Malformed
from fob.events import LINE_LIMIT, Event, EventParser

SEED = random.randrange(2**32)
LETTERS = "ab:é→🔑 \ufeff"


def words(random_: random.Random, empty: bool = True) -> str:
    return "".join(random_.choice(LETTERS) for _ in range(random_.randrange(0 if empty else 1, 8)))


def written(random_: random.Random, events: typing.List[Event]) -> bytes:
    """These events, in one of the many ways in which they may be written."""
    text = random_.choice(["", "\ufeff"])
    for event in events:
        lines = [f"event:{random_.choice(['', ' '])}{event.name}"] if event.name != "message" else (
            random_.choice([[], ["event:"]]))
        lines += [f"data: {line}" if line[:1] == " " or random_.random() < 0.5 else f"data:{line}"
                  for line in event.data.split("\n")]
        lines += [f"id: {event.id}"] if event.id is not None else []
        for _ in range(random_.randrange(3)):
            noise = random_.choice([": alive", "colour: blue", "retry: x", "nothing", "id: a\0b"])
            lines.insert(random_.randrange(len(lines) + 1), noise)
        end = random_.choice(["\n", "\r\n", "\r"])
        text += end.join(lines) + end + end
    return text.encode()


def some_events(random_: random.Random) -> typing.List[Event]:
    events: typing.List[Event] = []
    last: typing.Optional[str] = None
    for _ in range(random_.randrange(1, 6)):
        last = str(random_.randrange(10**6)) if random_.random() < 0.7 else last
        data = "\n".join(words(random_) for _ in range(random_.randrange(1, 4)))
        events.append(Event(words(random_, False).strip() or "message", data, last))
    return events


def test_any_events_are_read_as_they_were_meant_wherever_the_bytes_are_cut() -> None:
    random_ = random.Random(SEED)
    for round_ in range(1500):
        events = some_events(random_)
        sent = written(random_, events)
        parser, found = EventParser(), []
        while sent:
            size = random_.randrange(1, 1 + random_.choice([1, 5, 200]))
            found += parser.feed(sent[:size])
            sent = sent[size:]
        assert found == events, f"seed {SEED}, round {round_}"
        assert parser.last_id == events[-1].id, f"seed {SEED}, round {round_}"


def test_an_event_counts_once_its_empty_line_has_come() -> None:
    parser = EventParser()
    assert parser.feed(b"id: 7\nevent: disarmed\ndata: {}\n") == []
    assert parser.last_id is None
    assert parser.feed(b"\n") == [Event("disarmed", "{}", "7")]
    assert parser.last_id == "7"


def test_what_has_no_data_is_no_event_but_its_id_and_retry_count() -> None:
    parser = EventParser()
    assert parser.feed(b"event: x\nid: 3\nretry: 2500\n\n") == []
    assert (parser.last_id, parser.retry) == ("3", 2.5)


def test_an_event_without_end_is_malformed_before_it_fills_the_memory() -> None:
    with pytest.raises(Malformed):
        EventParser().feed(b"data: " + b"x" * LINE_LIMIT)
    parser = EventParser()
    with pytest.raises(Malformed):
        for _ in range(2000):
            parser.feed(b"data: " + b"x" * 1000 + b"\n")


def test_data_that_is_no_json_is_malformed() -> None:
    with pytest.raises(Malformed):
        Event("x", "{", None).json()
