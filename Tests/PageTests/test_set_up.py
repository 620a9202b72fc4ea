"""From the one-time code to protection, and back in after a log-out."""

import re

from page_test_case import PIN, PageTestCase


class SetUpTests(PageTestCase):
    def test_a_new_owner_is_led_from_the_search_to_protection(self):
        """R1, R4 to R7, R12, R14, R15, R18, R22, R57: set-up as a new owner has it."""
        fob = self.start("--set-up")
        self.log_in(fob)
        self.page.shoot("set-up-start")
        self.page.press("Connect my SafeTime device")
        for words in ("Device found!", "Establishing connection...", "Connected!"):
            self.page.says(words)

        # R5: name, mail address and mobile number, and no password.
        self.page.write("Name", "Owner")
        self.page.write("Email", "owner@example.org")
        self.page.write("Mobile", "0555")
        self.page.choose("Country", "Germany (DE)")
        # R57: without this, protection would not start.
        self.page.press("Use my position", "checkbox")
        self.page.press("Continue")
        self.page.until(
            lambda: self.page.find("textbox", "Mobile").get_attribute("aria-invalid") == "true",
            "the number is not refused at its field")
        self.assertFalse(fob.status["account"]["exists"])
        self.page.write("Mobile", "+15555550100")
        self.page.press("Continue")

        # R4: the keychain is the account's now; R12: a mail is on its way.
        self.page.find("button", "Choose a PIN")
        self.assertTrue(fob.status["devices"][0]["isOwned"])
        self.page.says("owner@example.org")
        self.assertIn("owner@example.org", str(fob.mails))

        # R6: four digits, twice, sent by the last one.
        self.page.press("Choose a PIN")
        for digits in ("1357", "7531", "2468", "2468"):
            self.type_pin(digits)
            self.page.until(lambda: not self.page.is_saying("Checking"), "the PIN is not taken")
        self.page.find("button", "Add contact")
        self.assertTrue(fob.status["account"]["hasPIN"])

        # R14: nobody need be told, but what that means is said.
        self.page.press("Continue")
        self.page.says("No one will be told of an alarm")
        self.page.shoot("set-up-nobody")
        self.page.press("Add contacts")

        # R15: Save is off until there are a name and a number; what is typed anew is chosen.
        self.page.press("Add contact")
        self.page.write("Name", "Contact 1")
        self.assertEqual(
            self.page.find("button", "Save Contact").get_attribute("aria-disabled"), "true")
        self.page.write("Number 1", "+15555550200")
        self.page.press("Save Contact")
        # R18
        self.page.says("1 total")
        self.page.press("Continue")
        self.page.press("Sounds good!")
        self.page.find("heading", "Confirm Email Address")
        self.assertFalse(self.page.has("heading", "All good!"))
        fob.confirm_email()
        self.page.find("heading", "All good!")
        account = fob.status["account"]
        self.assertTrue(account["isSetUp"] and account["isProtecting"])
        self.page.shoot("status")

    def test_a_keychain_that_is_not_there_is_not_found_until_it_is(self):
        """R2: "Device not found" with Cancel and Try Again, which finds it once it is there."""
        fob = self.start("--set-up")
        fob.wait_for(lambda status: status["devices"])
        fob.control(do="unplug")
        fob.wait_for(lambda status: not any(one["isLinked"] for one in status["devices"]))
        self.log_in(fob)
        self.page.press("Connect my SafeTime device")
        self.page.says("Searching for device...")
        self.page.find("heading", "Device not found", seconds=20)
        self.page.says("Make sure your device is on and the light is flashing.")
        self.page.shoot("set-up-not-found")
        self.page.find("button", "Cancel")
        fob.control(do="replug")
        self.page.press("Try Again")
        self.page.says("Connected!")

    def test_set_up_goes_on_where_it_was_after_a_reload(self):
        """R22: whoever comes back lands where the account stands."""
        fob = self.start("--set-up")
        fob.ask("/v1/account", {
            "name": "Owner", "email": "owner@example.org", "mobile": "+15555550100",
            "country": "US", "language": "en", "zone": "Europe/Berlin"})
        self.log_in(fob)
        # Its keychain is found and taken; then a PIN is wanted.
        self.page.find("button", "Choose a PIN", seconds=20)
        self.page.open()
        self.page.find("button", "Choose a PIN")

    def test_a_claimed_keychain_asks_is_this_you(self):
        """R4, R7, R11, R13, R20, R22, R119: by PIN; a masked address names the owner."""
        fob = self.start_set_up()
        self.page.press("Log out")
        # R20
        self.page.says("the alarm does not work")
        self.page.shoot("log-out")
        self.page.press("Logout")
        # R119: no stranger's click leaves a keychain that tells nobody.
        self.type_pin("0000")
        self.page.says("Wrong PIN. Nothing has changed.")
        self.assertTrue(fob.status["account"]["isLoggedIn"])
        self.page.press("Try Again")
        self.type_pin(PIN)
        self.page.find("heading", "Is this you?")
        self.page.says("owne****@example.org")
        self.assertNotIn("owner@example.org", self.page.text)
        self.assertFalse(fob.status["account"]["isLoggedIn"])
        self.page.press("Enter PIN")
        self.type_pin("0000")
        self.page.says("Wrong PIN. Nothing has changed.")
        self.page.press("Try Again")
        self.type_pin(PIN)
        self.page.find("heading", "Status")
        self.assertTrue(fob.status["account"]["isLoggedIn"])

    def test_an_unknown_address_is_told_and_may_be_typed_again(self):
        """R13, R122: before any digit of a PIN; Cancel or Try Again, which clears the field."""
        fob = self.start_set_up()
        fob.control(do="unplug")
        fob.ask("/v1/account/logout", {"pin": PIN})
        self.page.press("Login without connecting new device")
        self.page.write("Email", "nobody@example.org")
        self.page.press("Continue")
        self.page.says("There is no account with the address nobody@example.org.")
        self.assertFalse(self.page.has("textbox", "PIN, 4 digits"))
        self.page.press("Try Again")
        self.page.until(
            lambda: self.page.find("textbox", "Email").get_attribute("value") == "",
            "the address is not cleared")
        self.page.write("Email", "owner@example.org")
        self.page.press("Continue")
        self.type_pin(PIN)
        self.page.find("heading", "Status")

    def test_a_forgotten_pin_comes_by_mail(self):
        """R10: it asks first, then says that the mail is out; the old PIN counts until then."""
        fob = self.start_set_up()
        self.page.open("/#/settings")
        self.page.press("Forgot PIN?")
        self.page.find("button", "Cancel")
        self.page.press("Send it!")
        self.page.says("Email sent. Check it and enter your new PIN here.")
        self.page.until(lambda: [one.text for one in self.page.all("button")] == ["OK"],
                        "there is more to press than OK")
        self.page.press("OK")
        body = next(str(mail) for mail in fob.mails if "PIN" in str(mail))
        self.page.press("Enter PIN")
        self.type_pin(re.search(r"\b(\d{4})\b", body).group(1))
        self.page.find("textbox", "Email")

    def test_a_wrong_code_is_refused(self):
        """The way in says what is wrong, and where the code is."""
        fob = self.start("--set-up")
        self.page.open()
        self.page.write("One-time code", "ACDEFGHJ" if fob.code != "ACDEFGHJ" else "KMNPQRTW")
        self.page.press("Log in")
        self.page.says("This code is wrong")
        self.assertNotIn("null", self.page.text)
        self.page.find("textbox", "One-time code")
        self.page.shoot("login")
