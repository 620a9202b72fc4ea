"""The emulated keychain in the hand: what it shows, and what can be done to it."""

import re

from selenium.webdriver.common.keys import Keys

from page_test_case import BUTTON, PageTestCase


class KeychainTests(PageTestCase):
    def start_in_hand(self):
        fob = self.start_set_up()
        self.page.says("Idle: linked, nothing happened")
        return fob

    def state(self, fob):
        return fob.control(do="state")

    def open(self, group):
        self.page.press(re.compile(f"^{group}"))

    def test_it_is_held_for_as_long_as_the_pointer_is(self):
        """The firmware's answer stands beside; the light is the one that LED_STATE tells."""
        fob = self.start_in_hand()
        self.page.hold(BUTTON)
        event = self.page.says(re.compile(r"Event (\d+\.\d+) is stored in the keychain, \d+ ms"))
        self.assertTrue(self.state(fob)["held"])
        self.page.let_go()
        self.page.says(f"Event {event[1]} is stored in the keychain. Let go after")
        self.assertFalse(self.state(fob)["held"])
        self.page.says("Received: a machine has the message")
        self.page.says("sounder on")
        self.page.says("As the host has heard it")
        self.page.shoot("keychain")

    def test_a_page_that_goes_away_holds_nothing(self):
        """The finger leaves with the page."""
        fob = self.start_in_hand()
        self.page.hold(BUTTON)
        self.page.says("is stored in the keychain")
        self.page.open("/bench")
        self.page.until(lambda: not self.state(fob)["held"], "the button is still held")
        self.page.let_go()

    def test_a_hold_of_someone_else_is_seen_and_ended(self):
        """What another program holds is shown as held, and can be let go of."""
        fob = self.start_in_hand()
        fob.control(do="hold")
        self.page.press("Held by someone else: let go")
        self.page.lacks("button", "Held by someone else: let go")
        self.assertFalse(self.state(fob)["held"])

    def test_its_battery_is_what_the_slider_says(self):
        """R30: the charge that is in force is the emulator's own word."""
        fob = self.start_in_hand()
        self.open("Battery")
        self.page.find("slider", "Charge").send_keys(Keys.HOME)
        self.page.says(re.compile(r"Now: 0 %, [\d,]+ mV at the terminals"))
        self.assertEqual(self.state(fob)["battery"], 0)

    def test_its_receiver_hears_another_story(self):
        """R32: a story is chosen; what is in force stands there, and the map has the last fix."""
        fob = self.start_in_hand()
        self.open("GPS and map")
        self.page.find("image", re.compile("^Map: the way through"))
        self.page.choose("What the receiver hears", "Weak")
        self.page.press("Set")
        self.page.says("Now: Weak (story:weak")
        self.assertRegex(self.state(fob)["receiver"], "^story:weak")
        self.page.says(re.compile(r"Last fix \d+ seconds? ago: 51\.4778\d°, -0\.0015\d°.*weak"))

    def test_it_is_unplugged_and_plugged_in(self):
        """R29: the focus stays on the one button for both; whose word the light is, is said."""
        fob = self.start_in_hand()
        self.open("Plug and power")
        self.page.press("Unplug")
        self.page.find("button", "Plug in")
        self.page.until(lambda: self.page.focused == "Plug in", "the focus is not at the button")
        self.page.says("the host does not hear it")
        self.page.press("Plug in")
        self.page.says("Now: plugged in and linked; powered, boot 1")
        self.assertTrue(self.state(fob)["linked"])

    def test_its_power_is_cut_and_comes_back(self):
        """Dark while it has none; then it boots anew."""
        self.start_in_hand()
        self.open("Plug and power")
        self.page.press("Cut the power")
        self.page.says("Dark: it has no power")
        self.page.says("powered, boot 2")

    def test_faults_of_its_line_are_set_and_cleared(self):
        """What is in force stands in a list, with how often it struck."""
        fob = self.start_in_hand()
        self.open("Faults of the line")
        self.page.says("No fault is in force.")
        self.page.choose("Fault", "stall")
        self.page.choose("Hits", "1 % of the bytes")
        self.page.choose("Direction", "towards the host")
        self.page.press("Set the fault")
        self.page.says(re.compile(
            r"stall by 200 ms: 1 % of the bytes, towards the host, \d+ hits? so far"))
        self.assertEqual(self.state(fob)["faults"][0]["kind"], "stall")
        self.page.press("Clear all")
        self.page.says("No fault is in force.")

    def test_on_a_telephone_it_is_taken_out_and_put_away(self):
        """By one tap each, wherever the page was scrolled to; beside the page it needs none."""
        self.start_in_hand()
        self.assertFalse(self.page.has("button", "Take the keychain"))
        self.page.looks(width=390, height=844)
        self.page.lacks("button", BUTTON)
        self.driver.execute_script("scrollTo(0, document.body.scrollHeight)")
        self.page.press("Take the keychain")
        button = self.page.find("button", BUTTON)
        self.page.until(lambda: self.driver.execute_script(
            "const { top, bottom } = arguments[0].getBoundingClientRect();"
            "return top > 0 && bottom < 844", button), "the button is not in sight")
        # It scrolls, and is seen to.
        style = self.driver.execute_script(
            "return getComputedStyle(document.getElementById('hand')).overflowY")
        self.assertEqual(style, "scroll")
        self.page.press("Put the keychain away")
        self.page.lacks("button", BUTTON)

    def test_without_motion_the_word_alone_says_it(self):
        """prefers-reduced-motion: nothing blinks."""
        self.start_in_hand()
        self.page.looks(motion="reduce")
        light = "return document.querySelector('.fob').dataset.light"
        self.page.until(
            lambda: self.driver.execute_script(light) == "still", "the light still blinks")
