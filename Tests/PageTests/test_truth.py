"""The page tells the truth throughout: what is old is said to be old, and nothing is made up."""

import re

from page_test_case import BUTTON, PIN, PageTestCase


class TruthTests(PageTestCase):
    @property
    def is_greyed(self):
        return self.driver.execute_script("return document.body.classList.contains('stale')")

    def test_a_core_that_is_killed_in_an_alarm_comes_back_to_it(self):
        """R36, R58: kill -9 in the middle: what is not known is said, and it goes on."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        incident = fob.status["incident"]["id"]
        self.page.says(re.compile(r"\b0\d:\d\d\b"))
        fob.kill()
        self.page.says("What stands here was true")
        self.page.until(lambda: self.is_greyed, "what is old is not greyed")
        self.page.says(re.compile(r"second(s)? ago"))
        # A time of day has seconds behind its minutes.
        self.assertFalse(self.page.is_saying(re.compile(r"(?<!:)\b0[0-4]:\d\d\b(?!:)")))
        self.page.shoot("alarm-connection-lost")
        fob.start()
        # The session was that process's: a new code, and what was last known stays greyed.
        self.page.find("textbox", "One-time code", seconds=30)
        self.page.says("It was true")
        self.page.shoot("alarm-login-again")
        self.page.write("One-time code", fob.code)
        self.page.press("Log in")
        self.page.find("heading", "We're alerted")
        self.assertFalse(self.is_greyed)
        self.assertEqual(fob.status["incident"]["id"], incident)
        self.page.press("Cancel the alarm")
        self.type_pin(PIN)
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_ENDED")

    def test_a_keychain_that_is_unplugged_is_told_and_comes_back(self):
        """R2, R24, R26, R29, R30, R33: the link is an error with its cause, the service is good."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        self.page.press(re.compile("^Plug and power"))
        self.page.press("Unplug")
        self.page.find("heading", "Error!")
        self.page.says("Battery life unknown")
        self.page.says("Connected to")
        self.page.says("Device not found")
        self.page.shoot("status-unplugged")
        self.assertFalse(fob.status["devices"][0]["isLinked"])
        self.page.press("Plug in")
        self.page.find("heading", "All good!")
        self.page.lacks("heading", "Device not found")

    def test_a_press_while_unplugged_comes_with_the_plug(self):
        """R35: what nobody heard is kept by the keychain, and the page shows it when it is told."""
        fob = self.start_set_up()
        fob.control(do="unplug")
        self.page.find("heading", "Error!")
        self.page.hold(BUTTON)
        self.page.let_go()
        self.page.find("heading", "Error!")
        fob.control(do="replug")
        self.page.find("heading", "We're alerted")

    def test_the_status_has_cause_and_advice(self):
        """R24 to R27, R30, R32: levels of battery and GPS, with what to do about them."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        self.page.says("Battery at 87%")
        self.page.says("GPS Signal Good")
        fob.control(do="battery", percent=14)
        self.page.find("heading", "Warnings!")
        level = self.page.says(re.compile(r"Battery at (\d+)%")).group(1)
        self.assertLessEqual(int(level), 20)
        self.page.says("Charge your")
        self.page.find("image", "Warning")
        self.page.shoot("status-warnings")
        fob.control(do="battery", percent=87)
        self.page.find("heading", "All good!")
        # R27
        self.page.says(re.compile("checked", re.I))

    def test_a_refresh_without_an_answer_is_an_error(self):
        """R28, R31: with the core gone there is no "All good!", asked for or not."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        self.page.press("Refresh")
        self.page.find("heading", "All good!")
        fob.kill()
        self.page.press("Refresh")
        self.page.lacks("heading", "All good!")
        self.page.find("heading", "Error!")
        self.page.says("What stands here was true")

    def test_protection_that_is_stopped_is_told_apart(self):
        """R48, R57: "not protecting" and "protecting, nothing happened" are not the same."""
        fob = self.start_set_up()
        self.page.press("Stop protection")
        self.page.find("heading", "Not protecting")
        self.assertFalse(fob.status["account"]["isProtecting"])
        self.page.press("Start protection")
        self.page.find("heading", "Protecting")
        self.assertTrue(fob.status["account"]["isProtecting"])

    def test_a_press_while_logged_out_is_shown_loudly(self):
        """R20, G5: nobody is told, and the page does not pretend otherwise."""
        fob = self.start_set_up()
        fob.ask("/v1/account/logout", {})
        fob.control(do="press")
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_SENDING_FAILED")
        self.page.says("112")
        self.assertEqual(fob.messages, [])
