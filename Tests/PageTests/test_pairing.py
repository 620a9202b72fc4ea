"""A keychain and its core get a key, as the page leads to it."""

import re
import subprocess
import tempfile

from page_test_case import PIN, PageTestCase
from running_fob import PROGRAM


class PairingTests(PageTestCase):
    def test_a_keychain_is_paired_and_unpaired_step_by_step(self):
        """Who does not hold the button is told so; a paired one proves itself, and says so."""
        fob = self.start_set_up()
        self.page.follow("Settings")
        self.page.press("Enter PIN")
        self.type_pin(PIN)
        self.page.press(re.compile("^Pair device"))
        self.page.find("heading", "Pair your device")
        self.look_at("pairing")
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

    def test_a_keychain_is_paired_by_the_code_of_its_label(self):
        """It is shown beside the emulated one, and a wrong letter of it is found."""
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/label"
            subprocess.run([PROGRAM, "keys", "label", "--new", "8000000000000001", file],
                           check=True, stdout=subprocess.DEVNULL)
            with open(file, encoding="ascii") as opened:
                code = opened.read().strip()
            fob = self.start_set_up("--key", file)
        self.page.press("Label")
        self.page.says(code)
        self.page.find("image", "QR code of the label")
        self.page.follow("Settings")
        self.page.press("Enter PIN")
        self.type_pin(PIN)
        self.page.press(re.compile("^Pair device"))
        self.page.write("Code", code[:-1] + ("0" if code[-1] != "0" else "1"))
        self.page.press("Pair by this code")
        self.page.says("This is not the code of a label")
        self.page.write("Code", code.lower().replace("-", " "))
        self.page.press("Pair by this code")
        self.page.says("Device 8000000000000001 is paired.")
        fob.wait_for(lambda now: now["devices"][0].get("isProved"))


def is_linked_anew(state):
    """Since the power was cut."""
    return state.get("boot") == 2 and state["linked"]
