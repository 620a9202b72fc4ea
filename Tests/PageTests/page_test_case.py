"""What every test of the page has: a browser that they share, and a fob of its own."""

import atexit
import unittest

from page import Page, browser
from running_fob import Fob

PIN = "2468"

_shared = None


def _driver():
    global _shared
    if _shared is None:
        _shared = browser()
        atexit.register(_shared.quit)
    return _shared


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
        self.driver.get("about:blank")
        self.driver.delete_all_cookies()
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.page = Page(self.driver, fob.url)
        return fob

    def start_in_use(self, *options):
        """A fob with the bench's account and two contacts, and a browser that is logged in."""
        fob = self.start("--pin", PIN, *options)
        self.log_in(fob)
        return fob

    def log_in(self, fob, path="/"):
        self.page.open(path)
        self.page.write("One-time code", fob.code)
        self.page.press("Log in")
