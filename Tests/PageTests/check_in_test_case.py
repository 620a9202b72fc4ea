"""What every test of check-ins has: a fob that a class shares, its view, and its fields."""

import time

from page import Page
from page_test_case import PIN, PageTestCase
from running_fob import Fob


class CheckInTestCase(PageTestCase):
    """The tests of a class share a fob and its history; each begins without a series."""

    @classmethod
    def setUpClass(cls):
        cls.fob = Fob("--set-up")
        cls.addClassCleanup(cls.fob.end)
        cls.fob.set_up(PIN, ("Contact 1", "Contact 2"))
        cls.is_logged_in = False

    def begin(self, part=None):
        """At the status, or at a part of the view."""
        fob = self.fob
        for one in fob.ask("/v1/check-ins/series")["series"]:
            fob.ask(f"/v1/check-ins/series/{one['id']}", {"pin": PIN}, "DELETE")
        if type(self).is_logged_in:
            self.page = Page(self.driver, fob.url)
            self.driver.get("about:blank")
            self.page.open()
        else:
            self.meet(fob)
            self.log_in(fob)
            type(self).is_logged_in = True
        self.page.find("heading", "Status")
        self.driver.execute_script("localStorage.removeItem('fob-check-in-draft')")
        if part is not None:
            self.open_view(part)
        return fob

    def overdue(self, fob, description):
        """A reminder that is due already."""
        fob.add_series(PIN, description, escalates=False)
        first = self.listed(fob, description)[0]
        path = f"/v1/check-ins/{first['series']}/{first['key']}"
        fob.ask(path, {"due": int((time.time() + 0.3) * 1e6)}, "PATCH")
        fob.wait_for(lambda _: self.listed(fob, description)[0]["phase"] == "overdue")

    def listed(self, fob, description):
        return [one for one in fob.ask("/v1/check-ins")["checkIns"]
                if one["description"] == description]

    def open_view(self, part=""):
        self.page.open(f"/#/checkIns{part}")
        self.page.find("heading", "Check-ins")

    def fill(self, label, value):
        """A field of a number, a date or a time."""
        found = self.page.until(lambda: next((
            one for one in self.driver.find_elements("css selector", "input")
            if one.is_displayed() and one.accessible_name == label), None), f"no field {label!r}")
        self.driver.execute_script(
            "arguments[0].value = arguments[1];"
            "arguments[0].dispatchEvent(new Event('input', { bubbles: true }));", found, value)
        return found

    def pick(self, name):
        """Of the boxes that are shown that one alone."""
        for box in self.driver.find_elements("css selector", ".boxes input"):
            if box.is_displayed() and (box.accessible_name == name) != box.is_selected():
                self.page.click(box)

    def descriptions(self):
        return [one.text for one in self.driver.find_elements("css selector", ".check-in h2")]

    def dates(self):
        return [one.text for one in self.driver.find_elements("css selector", ".preview li")
                if one.text]
