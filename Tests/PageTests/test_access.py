"""For everybody: axe finds nothing on any view, light, dark or on a telephone; the keyboard."""

import re

from page_test_case import BUTTON, PIN, PageTestCase

LOOKS = {
    "light": {}, "dark": {"scheme": "dark"},
    "phone": {"width": 320, "height": 640},
}


class AccessTests(PageTestCase):
    def check(self, view):
        """The view as it stands, in each way that it can look; in the dark the colours alone."""
        for name, look in LOOKS.items():
            self.page.looks(**look)
            with self.subTest(view=view, look=name):
                self.page.shoot(f"{view}-{name}")
                rules = ["color-contrast"] if name == "dark" else None
                self.assertEqual(self.page.violations(rules), [])
                self.assertLessEqual(self.page.overflow, 0)
        self.page.looks()

    def test_set_up_is_for_everybody(self):
        """From the code to the contacts."""
        fob = self.start("--set-up")
        self.page.open()
        self.page.find("textbox", "One-time code")
        self.check("login")
        self.log_in(fob)
        self.page.find("button", "Connect my SafeTime device")
        self.check("set-up-start")
        self.page.press("Connect my SafeTime device")
        self.page.find("textbox", "Mobile")
        self.check("set-up-account")
        self.page.write("Name", "Owner")
        self.page.write("Email", "owner@example.org")
        self.page.write("Mobile", "+15555550100")
        self.page.press("Continue")
        self.page.press("Choose a PIN")
        self.page.find("textbox", "PIN, 4 digits")
        self.check("pin")
        for _ in range(2):
            self.page.until(lambda: not self.page.is_saying("Checking"), "it is still checked")
            self.type_pin(PIN)
        self.page.press("Add contact")
        self.page.find("textbox", "Number 1")
        self.check("set-up-contact")
        self.page.press("Cancel")
        self.page.press("Continue")
        self.page.find("heading", "No one would be told")
        self.check("set-up-nobody")

    def test_the_owner_s_views_are_for_everybody(self):
        """Status, contacts, settings and history."""
        fob = self.start_set_up()
        fob.control(do="press")
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_SENT")
        fob.ask("/v1/incidents/current/disarm", {"pin": PIN})
        fob.ask("/v1/incidents/current/resume", {})
        self.page.find("heading", "All good!")
        self.check("status")
        self.page.follow("Contacts")
        self.page.says("2 total")
        self.check("contacts")
        self.page.follow("History")
        self.page.says("Contact 1")
        self.check("history")
        self.page.follow("Settings")
        self.page.press("Enter PIN")
        self.type_pin(PIN)
        self.page.find("textbox", "Name")
        self.check("settings")

    def test_an_alarm_is_for_everybody(self):
        """Countdown, told, survey, and ended."""
        fob = self.start_set_up("--countdown", "120")
        fob.control(do="press")
        self.page.find("button", "I'm fine")
        self.check("alarm-countdown")
        # A further press means it (G18).
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        self.check("alarm-sent")
        self.page.press(re.compile("^Quit"))
        self.page.press("I fell")
        self.page.find("button", "I don't need help anymore")
        self.check("alarm-survey")
        fob.kill()
        self.page.says("What stands here was true")
        self.check("alarm-connection-lost")

    def test_the_end_of_an_alarm_is_for_everybody(self):
        """What failed, and what is over."""
        fob = self.start_set_up(contacts=())
        fob.control(do="press")
        self.page.says("112")
        self.check("alarm-failed")
        fob.ask("/v1/incidents/current/disarm", {"pin": PIN})
        self.page.find("button", "Resume")
        self.check("alarm-ended")

    def test_the_bench_is_for_everybody(self):
        """Devices and wire, latencies, conformance."""
        fob = self.start_set_up()
        self.page.open("/bench")
        self.page.find("row", re.compile("8000"))
        fob.control(do="press")
        self.page.says("EVENT")
        self.check("bench-devices")
        self.page.open("/bench#/latency")
        for _ in range(7):
            fob.control(do="press")
        self.page.find("image", re.compile("^Percentiles"))
        self.check("bench-latency")
        self.page.open("/bench#/conformance")
        for chapter in ("protocol", "reliability", "time", "button", "led", "battery"):
            self.page.press(re.compile("^" + chapter), "checkbox")
        self.page.press("Start")
        self.page.find("link", "Report as JSON", seconds=60)
        self.check("bench-conformance")

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
        """While a press becomes an alarm, what stands there does not shift by itself."""
        self.start_set_up()
        self.page.find("heading", "All good!")
        shift = self.driver.execute_async_script("""
            const done = arguments[0];
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            requestAnimationFrame(() => setTimeout(() => done(sum), 1500));""")
        self.assertLess(shift, 0.1)
