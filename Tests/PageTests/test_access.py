"""For everybody: every view, light and dark, from a telephone to a wall; and the keyboard."""

import re

from page_test_case import BUTTON, PIN, PageTestCase

class AccessTests(PageTestCase):
    def test_set_up_is_for_everybody(self):
        """From the code to the contacts."""
        fob = self.start("--set-up")
        self.page.open()
        self.page.find("textbox", "One-time code")
        self.look_at("login")
        self.log_in(fob)
        self.page.find("button", "Connect my SafeTime device")
        self.look_at("set-up-start")
        self.page.press("Connect my SafeTime device")
        self.page.find("textbox", "Mobile")
        self.look_at("set-up-account")
        self.page.write("Name", "Owner")
        self.page.write("Email", "owner@example.org")
        self.page.write("Mobile", "+15555550100")
        self.page.press("Continue")
        self.page.press("Choose a PIN")
        self.page.find("textbox", "PIN, 4 digits")
        self.look_at("pin")
        for _ in range(2):
            self.page.until(lambda: not self.page.is_saying("Checking"), "it is still checked")
            self.type_pin(PIN)
        self.page.press("Add contact")
        self.page.find("textbox", "Number 1")
        self.look_at("set-up-contact")
        self.page.press("Cancel")
        self.page.press("Continue")
        self.page.find("heading", "No one would be told")
        self.look_at("set-up-nobody")

    def test_the_owner_s_views_are_for_everybody(self):
        """Status, contacts, settings and history."""
        fob = self.start_set_up()
        fob.has_had_an_alarm(PIN)
        self.page.find("heading", "All good!")
        self.look_at("status")
        self.page.looks(width=390, height=844)
        self.page.press("Take the keychain")
        self.look_at("keychain-taken")
        self.page.looks(width=390, height=844)
        self.page.press("Put the keychain away")
        self.page.looks()
        self.page.follow("Contacts")
        self.page.says("2 total")
        self.look_at("contacts")
        self.page.follow("History")
        self.page.says("Contact 1")
        self.look_at("history")
        self.page.follow("Settings")
        self.page.press("Enter PIN")
        self.type_pin(PIN)
        self.page.find("textbox", "Name")
        self.look_at("settings")
        self.page.follow("Status")
        self.page.press("Stop protection")
        self.type_pin(PIN)
        self.page.find("heading", "Protection is off")
        self.look_at("status-to-do")
        fob.control(do="unplug")
        self.page.find("heading", "Device not found")
        self.look_at("status-unplugged")

    def test_check_ins_are_for_everybody(self):
        """The list, its editor, and the answer on the status."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        fob.add_series(PIN)
        fob.add_series(
            PIN, "Take the medicine after breakfast", minutes=150, escalates=False,
            rule={"kind": "months", "every": 2, "ordinal": "every", "weekday": "weekdays"})
        self.page.find("button", "I'm well")
        self.look_at("status-check-in")
        self.page.follow(re.compile("^Check-ins"))
        self.page.says("32 check-ins")
        self.look_at("check-ins")
        self.page.follow("New check-in")
        self.page.press("Years", "tab")
        self.page.says("Every year in")
        self.look_at("check-in-editor")
        self.page.press("Cancel")
        self.page.press("Discard")

    def test_an_alarm_is_for_everybody(self):
        """Countdown, told, survey, and ended."""
        fob = self.start_set_up("--countdown", "120")
        fob.control(do="press")
        self.page.find("button", "I'm fine")
        self.look_at("alarm-countdown")
        # A further press means it (G18).
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        self.page.until(lambda: len(fob.messages) == 2, "not both are told")
        self.look_at("alarm-sent")
        fob.ask("/v1/incidents/current/acknowledge", {"contact": "contact-1"})
        self.page.says("Contact 1 has it in hand.")
        self.look_at("alarm-acknowledged")
        self.page.press("Cancel the alarm")
        self.page.find("textbox", "PIN, 4 digits")
        self.look_at("alarm-pin")
        self.page.press("Keep the alarm on")
        self.page.press(re.compile("^Quit"))
        self.page.press("I fell")
        self.page.find("button", "I don't need help anymore")
        self.look_at("alarm-survey")
        fob.kill()
        self.page.says("What stands here was true")
        self.look_at("alarm-connection-lost")

    def test_the_end_of_an_alarm_is_for_everybody(self):
        """What failed, and what is over."""
        fob = self.start_set_up(contacts=())
        fob.control(do="press")
        self.page.find("link", "Call 911")
        self.look_at("alarm-failed")
        fob.ask("/v1/incidents/current/disarm", {"pin": PIN})
        self.page.find("button", "Resume")
        self.look_at("alarm-ended")

    def test_the_bench_is_for_everybody(self):
        """Devices and wire, latencies, conformance."""
        fob = self.start_set_up()
        self.page.open("/bench")
        self.page.find("row", re.compile("8000"))
        fob.control(do="press")
        self.page.says("EVENT")
        self.look_at("bench-devices")
        self.page.open("/bench#/latency")
        for _ in range(7):
            fob.control(do="press")
        self.page.find("image", re.compile("^Percentiles"))
        self.look_at("bench-latency")
        self.page.open("/bench#/conformance")
        for chapter in ("protocol", "reliability", "time", "button", "led", "battery"):
            self.page.press(re.compile("^" + chapter), "checkbox")
        self.page.press("Start")
        self.page.find("link", "Report as JSON", seconds=60)
        self.look_at("bench-conformance")

    def test_an_alarm_is_ended_by_keyboard_alone(self):
        """R6, R35, R38: every step by Tab, Space, digits and Enter."""
        fob = self.start_set_up()
        self.reach(BUTTON)
        self.page.type(" ")
        self.page.find("heading", "We're alerted")
        self.reach("Cancel the alarm")
        self.page.type("\ue007")
        self.type_pin(PIN)
        self.page.find("button", "Resume")
        self.reach("Resume")
        self.page.type("\ue007")
        self.page.find("heading", "All good!")
        self.assertEqual(fob.status["state"], "NO_EMERGENCY")

    def reach(self, name):
        """By Tab, from wherever the focus is."""
        self.page.find("button", name)
        for _ in range(60):
            if self.page.focused == name:
                return
            self.page.type("\ue004")
        self.fail(f"Tab does not lead to {name!r}; it is at {self.page.focused!r}")

    def test_motion_is_reduced_where_it_is_asked_for(self):
        """With prefers-reduced-motion nothing moves by itself, and the light is told in words."""
        self.start_set_up()
        self.page.looks(motion="reduce")
        self.page.find("heading", "All good!")
        moving = self.driver.execute_script(
            "return document.getAnimations().filter((one) => one.playState === 'running').length")
        self.assertEqual(moving, 0)

    def test_nothing_moves_under_a_finger(self):
        """A view stands where it stays, on a desk and on a telephone; also with more to say."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        for has_more in (False, True):
            if has_more:
                fob.has_had_an_alarm(PIN)
                settings = fob.ask("/v1/notifications")
                fob.ask("/v1/notifications", {**settings, "tips": True, "quotes": True}, "PUT")
            for width, height in ((1280, 900), (390, 844)):
                self.page.looks(width=width, height=height)
                with self.subTest(width=width, has_more=has_more):
                    self.assertLess(self.shift_of_a_load(has_more), 0.05)

    def shift_of_a_load(self, has_more):
        """By Chromium's measure, until all is there; nobody has touched anything."""
        self.driver.get("about:blank")
        self.page.open()
        self.page.find("heading", "System Status")
        if has_more:
            self.page.find("heading", "For today")
        return self.driver.execute_async_script("""
            const done = arguments[0];
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(sum), 1500);""")
