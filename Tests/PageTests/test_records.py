"""What the owner keeps: contacts, settings, and the history of incidents."""

import json
import os
import pathlib
import re
import shutil
import tempfile

from selenium.webdriver.common.keys import Keys

from page_test_case import PIN, PageTestCase


class ContactTests(PageTestCase):
    def open_contacts(self):
        fob = self.start_set_up()
        self.page.find("heading", "Status")
        self.page.follow("Contacts")
        self.page.says("2 total")
        return fob

    def test_a_contact_is_edited_only_by_pin_and_only_where_it_changed(self):
        """R15, R16, R18: Save is off until something differs; after set-up the PIN is asked."""
        fob = self.open_contacts()
        self.page.press("Edit Contact 1")
        save = self.page.find("button", "Save Contact")
        self.assertEqual(save.get_attribute("aria-disabled"), "true")
        self.page.press("Add number")
        self.page.write("Number 2", "+15555550299")
        # R15: what is typed anew is the chosen one.
        self.assertTrue(self.page.find("radio", "Choose number 2").is_selected())
        self.page.shoot("contact")
        self.page.press("Save Contact")
        self.type_pin(PIN)
        self.page.says("+15555550299")
        chosen = [
            number["number"] for one in fob.ask("/v1/contacts")["contacts"]
            for number in one["numbers"] if number["chosen"] and one["name"] == "Contact 1"]
        self.assertEqual(chosen, ["+15555550299"])

    def test_a_contact_is_deleted_only_after_a_question_and_by_pin(self):
        """R17, R18: Cancel keeps it; Delete and the PIN take it away."""
        fob = self.open_contacts()
        self.page.press("Delete Contact 2")
        self.page.press("Cancel")
        self.page.says("2 total")
        self.page.press("Delete Contact 2")
        self.page.press("Delete")
        self.type_pin(PIN)
        self.page.says("1 total")
        self.assertEqual(fob.status["contacts"], 1)

    def test_a_contact_is_added_without_the_pin(self):
        """R121: whoever wants one more person told is asked for nothing but that person."""
        fob = self.open_contacts()
        self.page.press("Add contact")
        self.page.write("Name", "Contact 3")
        self.page.write("Number 1", "+15555550203")
        self.page.press("Save Contact")
        self.page.says("3 total")
        self.assertFalse(self.page.has("textbox", "PIN, 4 digits"))
        self.assertEqual(fob.status["contacts"], 3)

    def test_what_was_typed_is_not_lost_by_a_key(self):
        """R115: an editor with changes asks before it is left; one without is left."""
        self.open_contacts()
        self.page.press("Edit Contact 1")
        self.page.press("Cancel")
        self.page.lacks("button", "Save Contact")
        self.page.press("Edit Contact 1")
        self.page.write("Name", "Contact 9")
        self.page.type(Keys.ESCAPE)
        self.page.find("heading", "Save your changes?")
        self.page.press("Go on")
        self.assertEqual(self.page.find("textbox", "Name").get_attribute("value"), "Contact 9")
        self.page.press("Cancel")
        self.page.press("Discard")
        self.page.lacks("button", "Save Contact")
        self.assertFalse(self.page.is_saying("Contact 9"))

    def attach_cards(self, fob, *cards):
        """An address book of these: a name, and its numbers."""
        path = os.path.join(fob.state, "contacts.vcf")
        with open(path, "w", encoding="utf-8") as file:
            for name, *numbers in cards:
                lines = "".join(f"TEL:{number}\r\n" for number in numbers)
                file.write(f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{name}\r\n{lines}END:VCARD\r\n")
        self.page.press("Import contacts")
        self.page.attach("Address book file", path)
        self.page.press("Show who is in it")

    def test_persons_are_picked_out_of_an_address_book_with_one_number_each(self):
        """R23, R120, R121: sorted as people sort; whoever is not picked is not added; no PIN."""
        fob = self.open_contacts()
        self.attach_cards(
            fob, ("Contact 10", "+15555550210"), ("contact 4", "+15555550204", "+15555550214"),
            ("Contact 3", "+15555550203"), ("Contact 1", "+15555550299"))
        self.page.until(
            lambda: [box.accessible_name for box in self.page.all("checkbox")]
            == ["Contact 1", "Contact 3", "contact 4", "Contact 10"], "they are not sorted")
        # Whoever is a contact already cannot be picked again.
        self.assertFalse(self.page.find("checkbox", "Contact 1").is_enabled())
        self.page.press("contact 4", "checkbox")
        self.page.choose("Number of contact 4", "+15555550214")
        self.page.press("Contact 10", "checkbox")
        self.page.shoot("import")
        self.page.press("Add 2 contacts")
        self.page.says("2 contacts imported.")
        self.page.says("4 total")
        chosen = {
            one["name"]: number["number"] for one in fob.ask("/v1/contacts")["contacts"]
            for number in one["numbers"] if number["chosen"]}
        self.assertEqual(chosen["contact 4"], "+15555550214")
        self.assertNotIn("Contact 3", chosen)
        self.page.until(
            lambda: re.findall(r"[Cc]ontact \d+", self.page.find("main").text)[-4:]
            == ["Contact 1", "Contact 2", "contact 4", "Contact 10"], "they are not sorted")

    def test_a_card_that_is_wrong_is_named(self):
        """R23: by its place in the file and its name; the others can be taken."""
        fob = self.open_contacts()
        self.attach_cards(fob, ("Contact 3", "+15555550203"), ("Contact 4",), ("Contact 5", "12"))
        self.page.says("2 cards cannot be taken:")
        self.page.says("Card 2, Contact 4:")
        self.page.says("Card 3, Contact 5:")
        self.page.press("Choose all")
        self.page.press("Add 1 contact")
        self.page.says("3 total")


class SettingsTests(PageTestCase):
    def open_settings(self):
        fob = self.start_set_up()
        self.page.find("heading", "Status")
        self.page.follow("Settings")
        self.page.find("button", "Enter PIN")
        self.assertFalse(self.page.has("textbox", "Name"))
        self.page.press("Enter PIN")
        self.type_pin(PIN)
        self.page.find("textbox", "Name")
        return fob

    def test_settings_are_saved_once_they_differ(self):
        """R7, R19: Save is off until a change; then Saved, off again, on at the next change."""
        fob = self.open_settings()
        self.page.shoot("settings")
        save = self.page.find("button", "Save Account Info")
        self.assertEqual(save.get_attribute("aria-disabled"), "true")
        self.page.write("Name", "Owner of it")
        self.page.press("Save Account Info")
        saved = self.page.find("button", "Saved")
        self.assertEqual(saved.get_attribute("aria-disabled"), "true")
        self.assertEqual(fob.ask("/v1/account")["name"], "Owner of it")
        self.page.write("Name", "Owner")
        self.page.press("Save Account Info")
        self.page.find("button", "Saved")

    def test_the_pin_is_changed_by_the_current_one(self):
        """R6, R9: the current one first; the new one twice; then it is said, and it counts."""
        fob = self.open_settings()
        self.page.press("Change PIN")
        for digits in (PIN, "1357", "1357"):
            self.page.until(lambda: not self.page.is_saying("Checking"), "it is still checked")
            self.type_pin(digits)
        self.page.press("OK")
        self.assertEqual(fob.is_refused("/v1/account", {"pin": PIN, "name": "A"}, "PATCH"), 403)
        self.assertIsNone(fob.is_refused("/v1/account", {"pin": "1357", "name": "A"}, "PATCH"))

    def test_the_account_is_deleted_by_a_word_and_the_pin(self):
        """R86: what goes and what stays is said; a word and the PIN; then nothing is there."""
        fob = self.open_settings()
        self.page.press("Delete account …")
        self.page.says("What goes")
        self.page.says("What stays")
        self.assertEqual(self.page.violations(), [])
        delete = self.page.find("button", "Delete for ever")
        self.assertEqual(delete.get_attribute("aria-disabled"), "true")
        self.page.press("Cancel")
        self.page.press("Delete account …")
        self.page.write("To delete it, type the word delete", "Delete")
        self.page.press("Delete for ever")
        self.type_pin("1357")
        self.page.says("Wrong PIN")
        self.page.press("Try Again")
        self.assertEqual(fob.ask("/v1/account")["name"], "Owner")
        self.type_pin(PIN)
        self.page.find("heading", "Welcome")
        self.assertEqual(fob.is_refused("/v1/account"), 404)

    def test_reminders_are_switched_kind_by_kind(self):
        """R85: what is saved is so; the tip and the quote of the day are on status, if wanted."""
        fob = self.open_settings()
        self.page.press("A tip each day", "checkbox")
        self.page.press("A quote each day", "checkbox")
        self.page.press("Reviews", "checkbox")
        self.page.press("Save reminders")
        self.page.says("The reminders are saved.")
        self.page.press("By mail, too", "checkbox")
        self.assertFalse(self.page.is_saying("No mail can be sent"))
        fob.ask("/v1/account", {"email": "other@example.org", "pin": PIN}, "PATCH")
        self.page.says("No mail can be sent until you confirm your email address.")
        self.page.press("By mail, too", "checkbox")
        self.page.says_no_more("No mail can be sent")
        self.assertEqual(self.page.violations(), [])
        now = fob.ask("/v1/notifications")
        self.assertEqual(
            (now["tips"], now["quotes"], now["review"], now["checkIns"], now["time"]),
            (True, True, False, True, "09:00"))
        self.page.follow("Status")
        self.page.find("heading", "For today")
        self.assertEqual(len(self.driver.find_elements("css selector", "blockquote")), 1)
        fob.ask("/v1/notifications", {**now, "tips": False, "quotes": False}, "PUT")
        self.page.lacks("heading", "For today")

    def test_a_new_address_is_to_be_confirmed(self):
        """R12: the banner stays until the address is confirmed; Resend says so."""
        fob = self.open_settings()
        self.page.write("Email", "other@example.org")
        self.page.press("Save Account Info")
        self.page.find("button", "Saved")
        self.page.says("Confirmation email sent to other@example.org")
        self.assertIn("other@example.org", str(fob.mails))
        self.page.follow("Status")
        self.page.find("heading", "Confirm Email Address")
        self.page.press("Resend")
        self.page.says("The mail is on its way.")
        self.page.find("link", "Change Email")

    def test_a_mail_is_claimed_only_where_one_was_sent(self):
        """R12: the settings say that a link was mailed once one was, and not before."""
        fob = self.open_settings()
        self.assertFalse(self.page.is_saying("A link was mailed"))
        fob.ask("/v1/account", {"email": "other@example.org", "pin": PIN}, "PATCH")
        self.page.says("other@example.org is not confirmed yet.")
        self.assertFalse(self.page.is_saying("A link was mailed"))
        self.page.press("Resend confirmation email")
        self.page.says("A link was mailed to other@example.org.")
        self.assertIn("other@example.org", str(fob.mails))

    def test_how_often_messages_go_out_is_a_setting(self):
        """R37: from 1 to 60 minutes; what is beyond is refused at its field."""
        fob = self.open_settings()
        label = "Minutes between messages in an alarm"
        field = self.page.until(
            lambda: next((one for one in self.driver.find_elements(
                "css selector", "input[type=number]") if one.accessible_name == label), None),
            "there is no such setting")
        for minutes in ("61", "7"):
            field.clear()
            field.send_keys(minutes)
            self.page.press("Save Account Info")
            if minutes == "61":
                self.page.says("Between 1 and 60 minutes.")
        self.page.find("button", "Saved")
        self.assertEqual(fob.ask("/v1/account")["messageEvery"], 7)

    def test_a_keychain_is_let_go_of_and_the_owner_stays_there(self):
        """R21: it asks, explains, and the keychain is unclaimed; it flashes, and may be claimed."""
        fob = self.open_settings()
        self.page.press(re.compile("^Disconnect"))
        self.page.press("Cancel")
        self.assertTrue(fob.status["devices"][0]["isOwned"])
        self.page.press(re.compile("^Disconnect"))
        self.page.press("Disconnect")
        fob.wait_for(lambda now: not any(one["isOwned"] for one in now["devices"]))
        self.page.find("heading", "Settings")


class HistoryTests(PageTestCase):
    def test_an_incident_is_kept_with_every_attempt_to_tell_someone(self):
        """R49, R55, R61: when and how it began and ended, who was told, and its document."""
        fob = self.start_set_up()
        fob.control(do="press")
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_SENT")
        fob.ask("/v1/incidents/current/disarm", {"pin": PIN})
        fob.ask("/v1/incidents/current/survey", {"outcome": "test"})
        fob.ask("/v1/incidents/current/resume", {})
        incident = fob.ask("/v1/incidents")["incidents"][0]["id"]
        self.page.find("heading", "Status")
        self.page.follow("History")
        self.page.find("link", re.compile("^Download the incident of .* as JSON"))
        self.page.until(
            lambda: any(incident in link.get_attribute("href") for link in self.page.all("link")),
            "no link to its document")
        self.page.says("Contact 1")
        self.page.shoot("history")

    def test_what_an_alarm_was_is_said_after_it_is_over(self):
        """R61: also after it was resumed from; the answer is marked, and is kept."""
        fob = self.start_set_up()
        fob.has_had_an_alarm(PIN)
        self.page.find("heading", "Status")
        self.page.follow("History")
        self.page.says("not said")
        self.page.press("A false alarm")
        self.page.says("a false alarm")
        answer = self.page.find("button", re.compile("A false alarm$"))
        self.assertEqual(answer.get_attribute("aria-pressed"), "true")
        survey = fob.ask("/v1/incidents")["incidents"][0]["survey"]
        self.assertEqual(survey["outcome"], "false")

    def test_without_incidents_it_says_so(self):
        """Nothing is made up where nothing has happened."""
        self.start_set_up()
        self.page.find("heading", "Status")
        self.page.follow("History")
        self.page.says("No alarm so far.")


class LogTests(PageTestCase):
    def open_log(self):
        fob = self.start_set_up()
        fob.has_had_an_alarm(PIN)
        self.page.find("heading", "All good!")
        self.page.follow("History")
        self.page.press("Log")
        self.page.find("row", re.compile("An alarm began"))
        return fob

    def rows(self):
        return [row.text for row in self.page.all("row") if not row.text.startswith("Time")]

    def test_all_that_has_happened_is_looked_through(self):
        """R104: newest first and as it comes; by kind, contact, time and words; nothing is lost."""
        fob = self.open_log()
        self.page.shoot("log")
        self.page.until(
            lambda: len(self.rows()) == len(fob.ask("/v1/log?limit=200")["lines"]),
            "not every entry is there")
        self.page.until(
            lambda: re.search("Resumed.*An alarm began", "\n".join(self.rows()), re.S),
            "the newest is not the first")
        # What comes while one looks stands above the rest.
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        fob.ask("/v1/incidents/current/disarm", {"pin": PIN})
        fob.ask("/v1/incidents/current/resume", {})
        self.page.find("heading", "All good!")
        self.page.follow("History")
        self.page.press("Log")
        self.page.choose("Kind", "An alarm began")
        self.page.says("2 entries")
        self.page.until(lambda: all("An alarm began" in row for row in self.rows()),
                        "there are entries of other kinds")
        self.page.choose("Kind", "All")
        self.page.choose("Contact", "Contact 1")
        self.page.lacks("row", re.compile("Resumed"))
        self.page.until(lambda: all("Contact 1" in row for row in self.rows()),
                        "there are entries of other contacts")
        self.page.choose("Contact", "All")
        self.page.write("Search", "CONTACT-2")
        self.page.lacks("row", re.compile("Contact 1"))
        self.page.find("row", re.compile("Contact 2"))
        self.page.write("Search", "no such words")
        self.page.says("Nothing is found.")

    def test_a_moment_is_chosen(self):
        """R104: what lies before or after it is not there."""
        self.open_log()
        since = self.driver.execute_script(
            "const one = document.querySelector('#log-since'); one.value = '2001-01-01T00:00:00';"
            "one.dispatchEvent(new Event('change')); return one.value")
        self.assertTrue(since)
        self.page.find("row", re.compile("An alarm began"))
        self.driver.execute_script(
            "const one = document.querySelector('#log-until'); one.value = '2001-01-02T00:00:00';"
            "one.dispatchEvent(new Event('change'))")
        self.page.says("Nothing is found.")

    def test_what_is_found_is_downloaded(self):
        """R104: all of it, an entry a line, by the filter that is set."""
        fob = self.open_log()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="fob-page-download-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {
            "behavior": "allow", "downloadPath": str(folder)})
        self.page.choose("Kind", "A message was received")
        self.page.lacks("row", re.compile("An alarm began"))
        self.page.press("Download what is found")
        file = self.page.until(
            lambda: next(iter(folder.glob("*.jsonl")), None), "no file was downloaded")
        lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(lines, fob.ask("/v1/log?limit=200&name=delivered")["lines"])
        self.assertEqual({line["name"] for line in lines}, {"delivered"})
