"""The five messages of the view "Calm", and the help links (R62 to R68)."""

import re

from page_test_case import PIN, PageTestCase


class MessageTests(PageTestCase):
    def begin(self, *options):
        fob = self.start_set_up(*options)
        self.page.find("heading", "Status")
        self.page.follow("Calm")
        self.page.find("heading", "Five messages")
        self.page.find("button", "Create message 1")
        return fob

    def test_a_message_is_made_sent_and_deleted(self):
        """R62, R64 to R66: Send is off until it is complete; one press sends; PIN for the rest."""
        fob = self.begin("--profile", "guarded")
        self.page.says("2 clicks")
        self.page.says("6 clicks")
        send = self.page.find("button", "Send message 1")
        self.assertEqual(send.get_attribute("aria-disabled"), "true")
        self.page.press("Create message 1")
        self.page.choose("Goes to", "Contact 1")
        self.page.write("Message", "I am at the bus stop.")
        self.page.press("Save")
        self.type_pin(PIN)
        self.page.says("Message 1 is saved.")
        self.page.find("button", "Edit message 1")
        self.page.press("Send message 1")
        self.page.says(re.compile(r"Accepted .* by "))
        self.assertEqual(
            [one["text"] for one in fob.messages if "bus stop" in one["text"]][0][-21:],
            "I am at the bus stop.")
        self.page.press("Delete message 1")
        self.page.press("Yes")
        self.type_pin(PIN)
        self.page.says("Message 1 is deleted.")
        self.page.find("button", "Create message 1")

    def test_its_characters_are_counted_while_it_is_written(self):
        """R63: 161 are refused, and whoever leaves with changes is asked (R115)."""
        self.begin()
        self.page.says("every press of this keychain raises the alarm")
        self.page.press("Create message 2")
        self.page.choose("Goes to", "Contact 1")
        self.page.write("Message", "a" * 150)
        self.page.says("150 of 160 characters")
        self.page.press("Add my position", "checkbox")
        self.page.says("185 of 160 characters")
        self.page.press("Add my position", "checkbox")
        self.page.write("Message", "\u0436")
        self.page.says("1 of 70 characters")
        self.page.write("Message", "a" * 161)
        self.page.says("161 of 160 characters")
        self.page.press("Save")
        self.type_pin(PIN)
        self.page.says("Has 161 characters")
        self.page.press("Cancel")
        self.page.find("heading", "Save your changes?")
        self.page.press("Go on")
        self.page.press("Cancel")
        self.page.press("Discard")
        self.page.find("button", "Create message 2")

    def test_help_links_are_in_sight(self):
        """R68: a telephone to call and a page to open."""
        fob = self.begin()
        self.page.press("Edit the help links")
        self.page.write("Links, one a line", "Crisis line; 988; https://example.org/")
        self.page.press("Save")
        self.page.find("link", "988")
        self.page.find("link", "Open Crisis line")
        self.assertEqual(fob.ask("/v1/help/links")["links"][0]["label"], "Crisis line")
        self.look_at("calm")
