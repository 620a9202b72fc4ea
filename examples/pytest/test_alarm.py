"""What an app may rely on, as tests of an emulated keychain. See conftest.py."""


def test_a_press_becomes_one_alarm_and_the_light_says_so(keychain, alarm):
    event = keychain.press()
    keychain.wait("acked", event=event)
    alarm.until(lambda: alarm.state == "EMERGENCY_SENT", "somebody is told")
    alarm.until(lambda: keychain.shown == "accepted", "the light says so")
    assert alarm.presses == [event]


def test_the_pin_ends_it(keychain, alarm):
    keychain.press()
    alarm.until(lambda: alarm.state == "EMERGENCY_SENT", "somebody is told")
    alarm.ask("disarm", pin=alarm.pin)
    assert alarm.state == "EMERGENCY_ENDED"


def test_a_press_with_the_plug_pulled_arrives_later(keychain, alarm):
    keychain.ask("unplug")
    event = keychain.press()
    assert alarm.presses == []
    keychain.ask("replug")
    keychain.wait("acked", event=event)
    assert alarm.presses == [event]
