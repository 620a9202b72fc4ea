"""An alarm on the page, from the press to protection again."""

import re

from page_test_case import BUTTON, PIN, PageTestCase


class AlarmTests(PageTestCase):
    def test_a_press_on_the_page_is_an_alarm_until_the_right_pin(self):
        """R6, R8, R35, R37, R38, R40, R44, R45, R47, R49, R54, R61: the whole story."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        self.page.shoot("alarm")
        incident = fob.status["incident"]["id"]
        # R37: how many are told, and mm:ss until they are told again.
        self.page.says("2 contacts")
        self.page.says(re.compile(r"\b0[0-5]:[0-5]\d\b"))
        self.page.says("Contact 1")
        # The light shows what LED_STATE says, in words, too.
        self.page.says("Received: a machine has the message")
        self.page.until(lambda: len(fob.messages) == 2, "not both are told")
        self.assertEqual(
            {one["contact"]["name"] for one in fob.messages}, {"Contact 1", "Contact 2"})
        # R49: the sounder goes on until somebody stops it.
        self.assertTrue(fob.status["incident"]["sounder"])
        # R8, R38: a wrong PIN says so, and nothing changes.
        self.page.press("Cancel the alarm")
        self.type_pin("0000")
        self.page.says("Wrong PIN. Nothing has changed.")
        self.page.shoot("alarm-wrong-pin")
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")
        self.page.press("Try Again")
        self.type_pin(PIN)
        self.page.find("heading", "The emergency is over")
        self.assertEqual(fob.status["state"], "EMERGENCY_ENDED")
        self.page.shoot("alarm-ended")
        # R61
        self.page.press("A test")
        fob.wait_for(lambda now: now["incident"].get("survey", {}).get("outcome") == "test")
        # R47, R54: protected again, and another press is another incident.
        self.page.press("Resume")
        self.page.find("heading", "All good!")
        self.assertEqual(fob.status["state"], "NO_EMERGENCY")
        self.raise_alarm(fob)
        self.assertNotEqual(fob.status["incident"]["id"], incident)

    def test_a_key_held_on_the_button_is_a_finger(self):
        """R35: the keychain's button is pressed by keyboard, too."""
        fob = self.start_set_up()
        self.driver.execute_script("arguments[0].focus()", self.page.find("button", BUTTON))
        self.page.type(" ")
        self.page.find("heading", "We're alerted")
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")

    def test_nothing_else_is_reachable_while_an_alarm_is_open(self):
        """R36: no link, no address, no reload leads out of it; what would change anything waits."""
        fob = self.start_set_up()
        self.page.open("/#/contacts")
        self.page.says("2 total")
        self.raise_alarm(fob)
        self.assertFalse(self.page.has("link", "Settings"))
        self.driver.execute_script("location.hash = '#/settings'")
        self.page.open("/#/settings")
        self.page.find("heading", "We're alerted")
        self.driver.back()
        self.page.find("heading", "We're alerted")
        self.assertFalse(self.page.has("link", "Contacts"))
        self.assertEqual(fob.is_refused("/v1/contacts", {
            "name": "Contact 3", "numbers": [{"number": "+15555550300", "chosen": True}],
            "pin": PIN}), 423)

    def test_an_alarm_finds_whoever_is_busy_elsewhere(self):
        """R56: a dialog gives way, and the title of the window says it."""
        fob = self.start_set_up()
        self.page.open("/#/contacts")
        self.page.press("Add contact")
        self.page.find("textbox", "Name")
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        self.page.lacks("dialog")
        self.assertRegex(self.driver.title, "We're alerted")

    def test_the_countdown_ends_by_im_fine(self):
        """R41, R42: mm:ss on the host's clock; stopped by PIN, nothing is ever sent."""
        fob = self.start_set_up("--countdown", "120")
        self.page.hold(BUTTON)
        self.page.says(re.compile(r"\b0(2:00|1:5\d)\b"))
        self.page.let_go()
        self.assertEqual(fob.status["state"], "ALERT_COUNTDOWN")
        self.page.shoot("alarm-countdown")
        self.page.press("I'm fine")
        self.type_pin(PIN)
        self.page.find("heading", "The emergency is over")
        self.assertEqual(fob.messages, [])

    def test_the_countdown_ends_by_itself(self):
        """R43: nobody does anything, and people are told."""
        fob = self.start_set_up("--countdown", "2")
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        self.page.until(lambda: len(fob.messages) == 2, "not both are told")

    def test_silence_quit_and_a_fall_end_nothing(self):
        """R49 to R51, R53: silenced, surveyed, and still an emergency, until help is not needed."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        self.assertEqual(
            self.page.find("link", re.compile("112")).get_attribute("href"), "tel:112")
        self.page.press("Stop the sound")
        fob.wait_for(lambda now: not now["incident"]["sounder"])
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")
        self.page.press(re.compile("^Quit"))
        self.page.press("I fell")
        self.page.says("I don't need help anymore")
        self.page.shoot("alarm-survey")
        now = fob.status
        self.assertEqual(now["state"], "EMERGENCY_SENT")
        self.assertTrue(now["incident"]["survey"]["fell"])
        self.page.press("I don't need help anymore")
        self.type_pin(PIN)
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_ENDED")

    def test_i_did_not_fall_asks_once_more_and_cancels(self):
        """R52: No goes back; Yes, and the PIN, end it, and those who were told are told so."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        self.page.press(re.compile("^Quit"))
        self.page.press("I didn't fall")
        self.page.press("No")
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")
        self.page.press("I didn't fall")
        self.page.press("Yes")
        self.type_pin(PIN)
        self.page.find("heading", "The emergency is over")
        self.page.until(lambda: len(fob.messages) == 4, "nobody was told that it is over")

    def test_an_alarm_that_reaches_nobody_says_call_112(self):
        """R14, R46: without contacts it fails at once, in the largest letters."""
        fob = self.start_set_up(contacts=())
        self.page.says("0 contacts are told")
        fob.control(do="press")
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_SENDING_FAILED")
        self.page.says("112")
        self.page.shoot("alarm-failed")

    def test_too_many_wrong_pins_must_wait(self):
        """R8: the page says how long, and nothing has changed."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        self.page.press("Cancel the alarm")
        for _ in range(8):
            self.type_pin("0000")
            if self.page.says(re.compile("Wrong PIN|Too many wrong PINs"))[0] != "Wrong PIN":
                break
            self.page.press("Try Again")
            self.page.says_no_more("Wrong PIN")
        self.page.says("Too many wrong PINs")
        self.page.says(re.compile(r"\b\d\d:\d\d\b"))
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")
        self.page.press("Keep the alarm on")
        self.page.find("heading", "We're alerted")
