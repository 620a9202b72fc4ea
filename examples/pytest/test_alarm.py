"""What an app may rely on, as tests of a keychain: copy this folder, and put your app beside it."""

import random

import fob
import pytest


def test_a_press_becomes_one_alarm_and_the_light_says_so(keychain, alarm):
    event = keychain.press()
    alarm.until("EMERGENCY_SENT")
    assert alarm.presses[-1] == event
    # As soon as the light shows it, all stages of the press are known.
    assert alarm.latency(event)["lit"] < 1_000_000
    assert keychain.shown == "accepted"


def test_the_pin_ends_it_and_no_other_does(keychain, alarm):
    keychain.press()
    alarm.until("EMERGENCY_SENT")
    with pytest.raises(fob.Refused, match="wrong PIN"):
        alarm.disarm("0000" if alarm.pin != "0000" else "0001")
    alarm.disarm()
    alarm.until("EMERGENCY_ENDED")


def test_a_press_with_the_plug_pulled_arrives_later(keychain, alarm):
    keychain.unplug()
    event = keychain.press()
    assert event not in alarm.presses
    keychain.replug()
    keychain.wait("acked", event=event)
    assert event in alarm.presses


def test_a_line_that_damages_bytes_loses_no_press(keychain, alarm, fob_seed):
    keychain.fault("flip", to="host", rate=0.002, seed=random.Random(fob_seed).randrange(1000))
    event = keychain.press()
    keychain.wait("acked", event=event)
    assert alarm.presses.count(event) == 1


def test_a_killed_core_still_knows_its_alarm(bench, keychain, alarm):
    keychain.press()
    sent = alarm.until("EMERGENCY_SENT")
    bench.restart_bridge()
    assert bench.alarm.state == "EMERGENCY_SENT"
    assert bench.alarm.incident["id"] == sent.incident
