"""What people have to do on a telephone, in at most as many taps as docs/explanation/page.md says.

A tap is a finger put on the screen: on a button, a field, a choice, a key of the PIN pad. What is
written into a field counts as the tap that leads there.
"""

import pathlib
import re

from page_test_case import BUTTON, PIN, PageTestCase

DOCUMENT = pathlib.Path(__file__).parent.parent.parent / "docs/explanation/page.md"


def allowed():
    """Taps by task, as they were written down before the page was made."""
    rows = re.findall(r"^\| ([^|]+?) \| (\d+) \|", DOCUMENT.read_text(encoding="utf-8"), re.M)
    return {task: int(taps) for task, taps in rows}


class Finger:
    """Does what a person does on the page, and counts."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, name, role="button"):
        self.page.press(name, role)
        self.taps += 1

    def write(self, label, text):
        self.page.write(label, text)
        self.taps += 1

    def choose(self, label, option):
        """The list opens by one tap, and closes by another."""
        self.page.choose(label, option)
        self.taps += 2

    def type_pin(self, pin):
        self.page.find("textbox", "PIN, 4 digits")
        for digit in pin:
            self.tap(digit)

    def hold(self, name):
        self.page.hold(name)
        self.taps += 1


class TaskTests(PageTestCase):
    def begin(self, *options):
        fob = self.start_set_up(*options)
        self.page.looks(width=390, height=844)
        return fob, Finger(self.page)

    def end(self, task, finger):
        self.assertLessEqual(finger.taps, allowed()[task])

    def test_set_up(self):
        """R1, R4 to R6, R15: from the one-time code to protection."""
        fob = self.start("--set-up")
        self.page.looks(width=390, height=844)
        finger = Finger(self.page)
        self.page.open()
        finger.write("One-time code", fob.code)
        finger.tap("Log in")
        finger.tap("Connect my SafeTime device")
        finger.write("Name", "Owner")
        finger.write("Email", "owner@example.org")
        finger.choose("Country", "Germany (DE)")
        finger.write("Mobile", "+15555550100")
        finger.tap("Use my position", "checkbox")
        finger.tap("Continue")
        finger.tap("Choose a PIN")
        for _ in range(2):
            finger.type_pin(PIN)
            self.page.until(lambda: not self.page.is_saying("Checking"), "the PIN is not taken")
        finger.tap("Add contact")
        finger.write("Name", "Contact 1")
        finger.write("Number 1", "+15555550200")
        finger.tap("Save Contact")
        self.page.says("1 total")
        finger.tap("Continue")
        finger.tap("Sounds good!")
        fob.wait_for(lambda now: now["account"]["isSetUp"] and now["account"]["isProtecting"])
        self.end("Set up, from the code to protection", finger)

    def test_an_alarm_is_raised_by_the_keychain_in_the_hand(self):
        """R35: the emulated keychain is one tap away, and its button is the second."""
        fob, finger = self.begin()
        finger.tap("Take the keychain")
        finger.hold(BUTTON)
        self.page.find("heading", "We're alerted")
        self.page.let_go()
        # What is so stands above the keychain.
        top = self.page.find("heading", "We're alerted").rect
        self.assertLess(top["y"] + top["height"], self.page.find("button", BUTTON).rect["y"])
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")
        self.end("Raise an alarm with the emulated keychain", finger)

    def test_an_alarm_is_cancelled_by_the_pin(self):
        """R6, R38: one button, four digits."""
        fob, finger = self.begin()
        fob.control(do="press")
        finger.tap("Cancel the alarm")
        finger.type_pin(PIN)
        self.page.find("heading", "The emergency is over")
        self.end("Cancel an alarm by the PIN", finger)

    def test_a_wrong_pin_is_followed_by_the_right_one(self):
        """R8: Try Again clears what was typed."""
        fob, finger = self.begin()
        fob.control(do="press")
        finger.tap("Cancel the alarm")
        finger.type_pin("0000")
        self.page.says("Wrong PIN. Nothing has changed.")
        finger.tap("Try Again")
        finger.type_pin(PIN)
        self.page.find("heading", "The emergency is over")
        self.end("Cancel an alarm, the PIN wrong once", finger)

    def test_a_contact_acknowledges_by_the_link(self):
        """R45: the link, and the button behind it; the owner reads who has it in hand."""
        fob, finger = self.begin("--public-url", "http://127.0.0.1:{port}")
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        self.assertFalse(self.page.is_saying("in hand"))
        self.page.until(lambda: fob.messages, "nobody is told")
        link = re.search(r"http://\S+/ack/\S+", fob.messages[0]["text"]).group(0)
        # The link is tapped in the contact's own messages.
        finger.taps += 1
        self.driver.get(link)
        finger.tap("I have it in hand")
        self.page.says("It is noted that you have it in hand.")
        self.page.open()
        self.page.says("Contact 1 has it in hand.")
        self.end("Acknowledge as a contact, by the link", finger)

    def test_a_core_that_is_lost_leaves_the_number_to_call(self):
        """R58: what is not known is said without a tap, and the call is one."""
        fob, finger = self.begin()
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        fob.kill()
        self.page.says("This page does not hear the core")
        call = self.page.find("link", re.compile(r"^Call \d+$"))
        self.assertRegex(call.get_attribute("href"), r"^tel:\d+$")
        finger.taps += 1
        self.end("Call for help where the core is lost", finger)
