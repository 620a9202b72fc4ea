"""What every test of the page has: a browser that they share, and a fob of its own."""

import atexit
import unittest

import pictures
from page import Page, browser
from running_fob import Fob

PIN = "2468"
BUTTON = "Alarm button of the keychain"

_shared = None


def _driver():
    global _shared
    if _shared is None:
        _shared = browser()
        atexit.register(close_browser)
    return _shared


def close_browser():
    """Where there is one."""
    global _shared
    if _shared is not None:
        _shared.quit()
        _shared = None


class PageTestCase(unittest.TestCase):
    """After each test the browser has complained of nothing, and has asked no other host."""

    def setUp(self):
        self.driver = _driver()
        self.page = None

    def tearDown(self):
        if self.page is None:
            return
        if not self._outcome.success:
            self.page.shoot("failed-" + self.id().rsplit(".", 1)[-1])
        self.page.looks()
        self.assertEqual(self.page.complaints(), [])
        self.assertEqual(self.page.strangers(), [])

    def start(self, *options):
        """A fob, and a browser that knows nothing yet."""
        fob = Fob(*options)
        self.addCleanup(fob.end)
        self.meet(fob)
        return fob

    def meet(self, fob):
        """A browser that knows nothing yet, before that fob."""
        self.driver.get("about:blank")
        self.driver.delete_all_cookies()
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        # A port may be that of a fob which has ended.
        self.driver.execute_cdp_cmd(
            "Storage.clearDataForOrigin", {"origin": fob.url, "storageTypes": "local_storage"})
        self.page = Page(self.driver, fob.url)

    def start_set_up(self, *options, contacts=("Contact 1", "Contact 2")):
        """A fob whose owner has claimed the keychain and is protected; a browser that is logged in.

        All that is done by the API, as set-up has tests of its own.
        """
        fob = self.start("--set-up", *options)
        fob.set_up(PIN, contacts)
        self.log_in(fob)
        return fob

    def log_in(self, fob):
        """By the link that fob has printed, as the form has tests of its own."""
        self.page.open(f"/#code={fob.code}")
        self.page.until(lambda: self.driver.execute_script(
            "return localStorage.getItem('fob-session-key')"), "the link lets nobody in")
        self.page.lacks("textbox", "One-time code")

    def type_code(self, fob):
        """Into the form, which the page shows."""
        self.page.write("One-time code", fob.code)
        self.page.press("Log in")
        self.page.lacks("textbox", "One-time code")

    def look_at(self, view):
        """As it stands now: pictures, nothing cut off, and axe at the ends; in the dark colours."""
        for width, height in pictures.WIDTHS.items():
            for scheme in pictures.SCHEMES:
                self.page.looks(scheme, width, height)
                with self.subTest(view=view, width=width, scheme=scheme):
                    # What is drawn by a script is drawn anew for another width.
                    try:
                        self.page.until(lambda: not self.page.cut, "something is cut off", 2)
                    except AssertionError:
                        self.assertEqual(self.page.cut, [])
                    self.assertLessEqual(self.page.overflow, 0)
                    if width in pictures.PICTURED:
                        self.page.shoot(pictures.name_of(view, width, scheme))
                    if width in (320, 1280):
                        rules = ["color-contrast"] if scheme == "dark" else None
                        self.assertEqual(self.page.violations(rules), [])
        self.page.looks()

    def type_pin(self, pin):
        """Where the page asks for one; the fourth digit sends it (R6)."""
        self.page.find("textbox", "PIN, 4 digits")
        self.page.type(pin)

    def raise_alarm(self, fob):
        """A press on the page, and the alarm that comes of it."""
        self.page.hold(BUTTON)
        self.page.find("heading", "We're alerted")
        self.page.let_go()
        self.assertEqual(fob.status["state"], "EMERGENCY_SENT")
