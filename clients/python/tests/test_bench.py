"""A bench of real processes: what is pressed is decided, told and kept."""
import asyncio
import pathlib
import typing
import xml.etree.ElementTree as ET

import pytest

import fob
from fob import api


@pytest.fixture(scope="module")
def bench() -> typing.Iterator[fob.Bench]:
    with fob.Bench() as bench:
        yield bench


@pytest.fixture(autouse=True)
def calm(bench: fob.Bench) -> typing.Iterator[None]:
    """Each test begins and ends without an alarm."""
    yield
    bench.calm()


def test_a_press_is_one_alarm_and_each_state_is_seen(bench: fob.Bench) -> None:
    event = bench.keychain.press()
    sending = bench.alarm.until("EMERGENCY_SENDING")
    sent = bench.alarm.until("EMERGENCY_SENT")
    assert sending.incident == sent.incident and bench.alarm.presses[-1] == event
    assert sending.decided is not None and sending.decided <= sending.seen
    bench.keychain.wait("acked", event=event)
    incident = bench.alarm.incident
    assert incident is not None and incident["id"] == sent.incident
    bench.alarm.disarm()
    bench.alarm.until("EMERGENCY_ENDED")


def test_a_second_alarm_is_not_taken_for_the_first(bench: fob.Bench) -> None:
    bench.keychain.press()
    first = bench.alarm.until("EMERGENCY_SENT")
    assert bench.alarm.until("EMERGENCY_SENT") == first, "it is so still"
    bench.alarm.disarm()
    bench.alarm.until("EMERGENCY_ENDED")
    bench.alarm.resume()
    bench.keychain.press()
    assert bench.alarm.until("EMERGENCY_SENT").incident != first.incident


def test_a_state_of_the_keychain_is_waited_for_by_what_it_tells(bench: fob.Bench) -> None:
    keychain = bench.keychain
    boot = keychain.state["boot"]
    # One without power has no number of a boot.
    state = keychain.until(lambda state: "boot" in state, lambda: keychain.power_cut(50))
    assert state["boot"] == boot + 1
    keychain.wait("linked")
    event = keychain.press()
    assert keychain.until(lambda state: state["shown"] == "accepted")["shown"] == "accepted"
    with pytest.raises(fob.TimedOut, match="the keychain is .*accepted"):
        keychain.until(lambda state: state["shown"] == "idle", within=0.1)
    keychain.wait("acked", event=event)


def test_a_calm_bench_has_no_state_of_the_alarm_before_it(bench: fob.Bench) -> None:
    event = bench.keychain.press()
    bench.calm()
    assert bench.alarm.presses[-1] == event and bench.alarm.state == "NO_EMERGENCY"
    with pytest.raises(fob.TimedOut):
        bench.alarm.until("EMERGENCY_SENT", within=0.1)


def test_a_state_that_does_not_come_times_out_with_the_way_so_far(bench: fob.Bench) -> None:
    bench.keychain.press()
    with pytest.raises(fob.TimedOut, match="EMERGENCY_SENDING → EMERGENCY_SENT"):
        bench.alarm.until_told("disarmed", within=2.0)


def test_the_stages_of_a_press_are_in_their_order(bench: fob.Bench) -> None:
    stages = bench.alarm.latency(bench.keychain.press())
    assert list(stages) == ["stored", "written", "read", "decided", "durable", "acked", "lit"]
    # Debounce alone takes 15 ms.
    assert 15_000 <= stages["stored"] <= stages["written"] and stages["decided"] < stages["lit"]


def test_a_wrong_pin_is_refused_by_socket_and_api_alike(bench: fob.Bench) -> None:
    bench.keychain.press()
    bench.alarm.until("EMERGENCY_SENT")
    with pytest.raises(fob.Refused, match="wrong PIN"):
        bench.alarm.disarm("0000")
    with pytest.raises(fob.Problem) as caught:
        bench.api.ask(api.incidents.post_current_disarm({"pin": "0000"}))
    assert (caught.value.status, caught.value.code) == (403, "wrongPIN")
    done = bench.api.ask(api.incidents.post_current_disarm({"pin": bench.pin}))
    assert done["durable"] and done["state"] == "EMERGENCY_ENDED"


def test_a_press_with_the_plug_pulled_arrives_later(bench: fob.Bench) -> None:
    bench.keychain.unplug()
    event = bench.keychain.press()
    assert event not in bench.alarm.presses
    bench.keychain.replug()
    bench.keychain.wait("acked", event=event)
    assert event in bench.alarm.presses


def test_a_power_cut_keeps_the_press_that_was_stored(bench: fob.Bench) -> None:
    bench.keychain.unplug()
    event = bench.keychain.press()
    bench.keychain.power_cut(ms=50)
    bench.keychain.replug()
    bench.keychain.wait("ready")
    bench.keychain.wait("acked", event=event)


def test_hands_and_mischief_show_in_the_state(bench: fob.Bench) -> None:
    keychain = bench.keychain
    keychain.battery(11, drain_per_hour=3)
    assert (keychain.state["battery"], keychain.state["drain"]) == (11, 3)
    keychain.fault("flip", to="host", rate=0.01, seed=5)
    assert keychain.state["faults"][0]["kind"] == "flip"
    keychain.battery(87, drain_per_hour=0)
    keychain.gps("none")
    keychain.clock(drift_ppm=20)
    assert keychain.state["drift"] == 20
    keychain.clock(drift_ppm=0)
    keychain.stick()
    assert keychain.state["stuck"]
    with pytest.raises(fob.Refused, match="0 to 100"):
        keychain.battery(900)


def test_the_capture_has_the_press_and_its_ack(bench: fob.Bench) -> None:
    event = bench.keychain.press()
    bench.keychain.wait("acked", event=event)
    bench.alarm.latency(event)
    names = [frame["type"] for frame in bench.wire.frames]
    assert "EVENT" in names


def test_the_log_is_a_stream_that_resumes_where_it_was_left(bench: fob.Bench) -> None:
    bench.keychain.press()
    with bench.api.events(after=0) as stream:
        seen = [event for event, _ in zip(stream, range(3))]
    assert seen[0].id is not None
    with bench.api.events(after=int(seen[0].id)) as stream:
        assert next(iter(stream)) == seen[1]


def test_asyncio_follows_an_alarm_from_press_to_all_clear(bench: fob.Bench) -> None:
    async def follow() -> typing.List[str]:
        names: typing.List[str] = []
        async with fob.AsyncClient(bench.url, bench.token) as client, client.events() as stream:
            async for event in stream:
                if event.name == "status":
                    await asyncio.get_running_loop().run_in_executor(None, bench.keychain.press)
                line = event.json()
                facts = line.get("facts", {})
                names += [facts["to"]] if event.name == "stateChanged" else []
                if facts.get("to") == "EMERGENCY_SENT":
                    await client.ask(api.incidents.post_current_disarm({"pin": bench.pin}))
                if facts.get("to") == "EMERGENCY_ENDED":
                    return names
        return names
    assert asyncio.run(asyncio.wait_for(follow(), 60)) == [
        "EMERGENCY_SENDING", "EMERGENCY_SENT", "EMERGENCY_ENDED"]


def test_what_fob_does_not_emulate_has_no_hands() -> None:
    with pytest.raises(fob.Unsupported, match="serial:/dev/ttyUSB0"):
        fob.Keychain(None, "serial:/dev/ttyUSB0", "other").press()


def test_a_killed_bridge_knows_its_alarm_and_its_folder_has_both_logs(
        tmp_path: pathlib.Path) -> None:
    with fob.Bench(artifacts=tmp_path, name="a / b") as bench:
        event = bench.keychain.press()
        bench.keychain.wait("acked", event=event)
        bench.restart_bridge()
        assert bench.alarm.presses == [event]
        bench.properties["latency_us"] = 5
        place = bench.collect("it failed \0\nAssertionError: in vain")
    assert place == tmp_path / "a-b"
    assert {path.name for path in place.iterdir()} == {
        "bridge-before.log", "bridge.log", "junit.xml", "keychain.log", "monitor.log",
        "status.json", "told.jsonl", "wire-before.pcapng", "wire.pcapng"}
    suite = ET.parse(place / "junit.xml").getroot()
    failure, found = suite.find("testcase/failure"), suite.find("testcase/properties/property")
    assert failure is not None and failure.get("message") == "AssertionError: in vain"
    assert found is not None and found.attrib == {"name": "latency_us", "value": "5"}
