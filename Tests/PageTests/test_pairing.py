"""A keychain and its core get a key, as the page leads to it."""

import re

from page_test_case import PIN, PageTestCase


class PairingTests(PageTestCase):
    def test_a_keychain_is_paired_and_unpaired_step_by_step(self):
        """Who does not hold the button is told so; a paired one proves itself, and says so."""
        fob = self.start_set_up()
        self.page.follow("Settings")
        self.page.press("Enter PIN")
        self.type_pin(PIN)
        self.page.press(re.compile("^Pair device"))
        self.page.find("heading", "Pair your device")
        self.page.press("Pair now")
        self.page.says("The button was not held since the device got its power.")
        fob.control(do="powercut", ms=500)
        fob.control(do="stick")
        self.page.until(lambda: is_linked_anew(fob.control(do="state")), "it is not linked")
        self.page.press("Pair now")
        device = fob.status["devices"][0]["device"]
        self.page.says(f"Device {device} is paired.")
        fob.control(do="unstick")
        fob.wait_for(lambda now: now["devices"][0].get("isProved"))
        self.page.until(lambda: self.page.is_saying(" · paired"), "its row does not say so")
        self.page.press(re.compile("^Unpair device"))
        self.page.press("Unpair")
        self.page.says(f"Device {device} is no longer paired.")
        fob.wait_for(lambda now: not now["devices"][0]["isPaired"])


def is_linked_anew(state):
    """Since the power was cut."""
    return state.get("boot") == 2 and state["linked"]
