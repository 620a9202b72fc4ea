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
        self.assertEqual(self.call.get_attribute("href"), "tel:911")
        self.page.press("Stop the sound")
        fob.wait_for(lambda now: not now["incident"]["sounder"])
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")
        self.page.press(re.compile("^Quit"))
        self.page.press("I fell")
        self.page.says("I don't need help anymore")
        self.page.shoot("alarm-survey")
        now = fob.wait_for(lambda now: now["incident"].get("survey", {}).get("fell"))
        self.assertEqual(now["state"], "EMERGENCY_SENT")
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

    def test_each_contact_is_a_card_with_three_lights(self):
        """R44, R45: sent, received, acknowledged; nobody has it in hand before they say so."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        self.page.says("2 received it. No person has answered yet.")
        self.assertFalse(self.page.is_saying("in hand"))
        self.lights("Contact 1", "Sent", "Received")
        fob.ask("/v1/incidents/current/acknowledge", {"contact": "contact-1"})
        self.page.says("Contact 1 has it in hand.")
        self.page.says("No further message is due: it was acknowledged.")
        self.lights("Contact 1", "Sent", "Received", "Acknowledged")
        self.lights("Contact 2", "Sent", "Received")
        # A further press undoes what they said.
        fob.control(do="press")
        self.page.says_no_more("Contact 1 has it in hand.")
        self.page.says(re.compile("Received again at .*|Had it in hand before"))
        self.lights("Contact 1", "Sent", "Received")

    def lights(self, contact, *steps):
        """Waits until these steps of a contact's card are lit, each with its time."""
        wanted = re.compile("\n".join(rf"{step}\n\d\d:\d\d:\d\d.*" for step in steps))

        def shown():
            cards = self.driver.find_elements("css selector", ".person")
            card = next((one for one in cards if one.text.startswith(contact)), None)
            lit = card.find_elements("css selector", ".lit") if card else []
            return "\n".join(one.text for one in lit)

        self.page.until(lambda: wanted.fullmatch(shown()), f"{steps} of {contact} are not lit")

    def test_the_two_large_buttons_keep_their_places(self):
        """One stands out at a time; when contacts are told, neither moves under the finger."""
        fob = self.start_set_up("--countdown", "120")
        self.page.looks(width=390, height=844)
        fob.control(do="press")
        places = [self.page.find("button", "I'm fine").rect, self.call.rect]
        self.stands_out("I'm fine")
        self.assertLess(places[0]["y"] + places[0]["height"], places[1]["y"])
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        self.stands_out(self.call.text)
        self.assertEqual(
            [one.rect["x"] for one in (self.page.find("button", "Cancel the alarm"), self.call)],
            [place["x"] for place in places])
        self.assertLess(self.page.find("button", "Cancel the alarm").rect["y"], self.call.rect["y"])

    @property
    def call(self):
        return self.page.find("link", re.compile(r"^Call \d+$"))

    def stands_out(self, button):
        self.page.until(
            lambda: [one.text for one in self.driver.find_elements("css selector", "#alarm .main")]
            == [button], f"{button} does not stand out, or not alone")

    def test_an_alarm_is_as_red_in_the_dark(self):
        """R35: light and dark have the same urgency; what is only known from before is grey."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        seen = set()
        for scheme in ("light", "dark"):
            self.page.looks(scheme)
            seen.add(self.ground)
        self.assertEqual(len(seen), 1)
        fob.kill()
        self.page.says("This page does not hear the core")
        self.page.until(lambda: self.ground not in seen, "what was known before is as red")

    @property
    def ground(self):
        return self.driver.execute_script(
            "return getComputedStyle(document.getElementById('alarm')).backgroundColor")

    def test_no_cancel_stands_beside_cancel_the_alarm(self):
        """R8, R38, R52: the way back of whatever ends an alarm says that the alarm stays on."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        self.page.press("Cancel the alarm")
        self.page.find("textbox", "PIN, 4 digits")
        self.assertFalse(self.page.has("button", "Cancel"))
        self.page.press("Forgot PIN?")
        self.page.find("button", "Send it!")
        self.assertFalse(self.page.has("button", "Cancel"))
        self.page.press("Keep the alarm on")
        self.page.press("Keep the alarm on")
        self.page.lacks("dialog")
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")
        self.page.find("button", "Quit: stop the sound and say what happened")

    def test_an_alarm_that_goes_on_at_another_account_is_not_told_as_over(self):
        """Who claims the keychain in mid-alarm has it from then on."""
        fob = self.start()
        self.log_in(fob)
        made = fob.ask("/v1/accounts", {
            "name": "Owner 2", "email": "owner-2@example.org", "mobile": "+15555550100",
            "country": "US", "language": "en", "zone": "Europe/Berlin", "mayLocate": True})
        fob.ask("/v1/contacts", {
            "name": "Contact 3", "numbers": [{"number": "+15555550103", "chosen": True}],
        }, token=made["token"])
        self.raise_alarm(fob)
        device = fob.status["devices"][0]["device"]
        fob.ask(f"/v1/devices/{device}/claim", {}, "PUT", token=made["token"])
        self.page.find("heading", "The alarm was handed over")
        self.page.says("Whether it has ended since is not known here.")
        self.page.says("Received that it goes on elsewhere.")
        self.page.says("It was handed over on")
        self.assertFalse(self.page.is_saying("is over"))
        self.page.press("Resume")
        self.page.find("heading", "Status")
        self.page.follow("History")
        self.page.says("Alarm handed over")
        self.page.press("Attempts to tell someone")
        self.page.says("handed over, message 2")
        self.assertFalse(self.page.is_saying("all-clear"))

    def test_a_forgotten_pin_is_mailed_in_an_alarm(self):
        """R10, R118: from the alarm's own PIN pad, which stays; the new PIN switches it off."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        self.page.press("Cancel the alarm")
        self.page.press("Forgot PIN?")
        self.page.press("Send it!")
        self.page.says("Email sent. Check it and enter your new PIN here.")
        self.page.press("OK")
        mail = next(one for one in reversed(fob.mails) if "PIN" in one["subject"])
        self.type_pin(re.search(r"\b\d{4}\b", mail["body"])[0])
        self.page.find("heading", "The emergency is over")
        self.assertEqual(fob.status["state"], "EMERGENCY_ENDED")

    def test_position_and_track_are_drawn(self):
        """R39, R55: on the page's own grid, with the age of the last position."""
        fob = self.start_set_up()
        fob.control(do="gps", source="track:51.4778,-0.0015,14,90,2")
        self.raise_alarm(fob)
        self.page.find("image", re.compile(r"^Map: the way through \d+ fixes"))
        self.page.says(re.compile(r"positions?, (heard|the last) \d+ seconds? ago"))

    def test_a_position_that_may_not_be_used_is_not_drawn(self):
        """R57: words say so, and there is no map."""
        fob = self.start_set_up()
        fob.ask("/v1/account", {"mayLocate": False, "pin": PIN}, "PATCH")
        self.raise_alarm(fob)
        self.page.says("Your position is not used: your account does not allow it.")
        place = self.page.find("region", "Where you are")
        self.assertEqual(
            [one for one in self.page.all("image", re.compile("^Map"))
             if one.find_elements("xpath", "ancestor::section[@id='place']")], [], place.text)

    def test_the_number_to_call_is_the_country_s(self):
        """R46, R50: as the core knows it; else one that works from most phones, and it says so."""
        self.start_set_up()
        numbers = self.driver.execute_async_script("""
            const done = arguments[0];
            import("/page/script/app/emergency.js").then(({ emergency, worksFrom }) => done([
              { account: { emergencyNumber: "911", isEmergencyNumberKnown: true } },
              { account: { emergencyNumber: "112", isEmergencyNumberKnown: false } }, null,
            ].map(emergency).map((one) => [one.number, worksFrom(one)])));""")
        works = "112 works from most mobile phones."
        self.assertEqual(numbers, [["911", ""], ["112", works], ["112", works]])

    def test_an_alarm_that_reaches_nobody_says_whom_to_call(self):
        """R14, R46: without contacts it fails at once, the number in the largest letters."""
        fob = self.start_set_up(contacts=())
        self.page.says("0 contacts are told")
        fob.control(do="press")
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_SENDING_FAILED")
        self.page.says(re.compile(r"Call for help yourself\s+911\s"))
        self.assertFalse(self.page.is_saying("works from most mobile phones"))
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
