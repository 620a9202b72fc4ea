"""Check-ins: what is asked and when, its answers, its history, and that no change is lost."""

import datetime
import re
import time

from page import Page
from page_test_case import PIN, PageTestCase
from running_fob import ZONE, Fob, Time

# What stands in a row, as the page's own modules make it: word, colour and shape of a phase.
LOOKS = """
const [rows, done] = arguments;
import("/page/script/app/check-ins.js")
  .then(() => import("/page/script/app/check-ins/words.js"))
  .then(({ colourOf, phaseSign, phaseWord }) => done(rows.map(([phase, minutes]) => [
    phaseWord(phase), colourOf({ phase, due: minutes * 60e6 }, 0), phaseSign(phase).innerHTML,
  ])));
"""

# Notifications of the system, as they are raised and taken back.
HEARING = """
window.told = [];
window.Notification = class extends EventTarget {
  static permission = "granted";
  constructor(title, { body }) { super(); told.push([title, body]); }
  close() { told.push("closed"); }
};
"""


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
                box.click()

    def descriptions(self):
        return [one.text for one in self.driver.find_elements("css selector", ".check-in h2")]

    def dates(self):
        return [one.text for one in self.driver.find_elements("css selector", ".preview li")
                if one.text]


class EditorTests(CheckInTestCase):
    def test_five_kinds_show_their_next_dates_while_they_are_written(self):
        """R90 to R95: once, days, weeks, months and years; an end that can be cleared."""
        self.begin("/new")
        tomorrow = datetime.datetime.now(ZONE).date() + datetime.timedelta(days=1)
        self.fill("First day", str(tomorrow))
        self.fill("Time", "23:00")
        day = datetime.timedelta(days=1)

        def shows(rule, *dates):
            self.page.says(rule)
            wanted = [f"{one:%a %Y-%m-%d}, {at}" for one, at in dates]
            self.page.until(lambda: self.dates()[:len(dates)] == wanted,
                            f"the dates of {rule} are {wanted}")

        # R91: past midnight they belong to the day before.
        self.fill("Every so many days", "2")
        self.fill("Times a day", "2")
        self.fill("Hours between them", "4")
        shows("Every 2 days, 2 times a day, every 4 h",
              (tomorrow, "23:00"), (tomorrow + day, "03:00"), (tomorrow + 2 * day, "23:00"))
        self.fill("Last day", str(tomorrow))
        self.page.until(lambda: len(self.dates()) == 2, "the last day ends nothing")
        self.page.press("Clear the last day")
        self.page.until(lambda: len(self.dates()) == 7, "the last day is not cleared")
        self.page.press("Once", "tab")
        shows("Once", (tomorrow, "23:00"))
        self.page.press("Weeks", "tab")
        self.pick("Monday")
        monday = tomorrow + (7 - tomorrow.weekday()) % 7 * day
        shows("Every week: Monday", (monday, "23:00"), (monday + 7 * day, "23:00"))
        self.page.press("Months", "tab")
        self.fill("Day of the month", "13")
        self.page.says("Every month: day 13")
        self.page.until(lambda: all("-13, " in one for one in self.dates()), "not each 13th")
        self.page.choose("On which day", "2nd")
        self.page.choose("Kind of day", "Friday")
        self.page.says("Every month: 2nd Friday")
        self.page.until(
            lambda: self.dates() and all(re.match(r"Fri .*-(0[89]|1[0-4]), ", one)
                                         for one in self.dates()), "not each second Friday")
        self.page.press("Years", "tab")
        self.pick("August")
        self.page.choose("On which day", "every")
        shown = [one for one in self.page.all("combobox") if one.accessible_name == "Kind of day"]
        self.assertEqual(len(shown), 1)
        self.page.says("Every year in August: every Monday")
        self.page.until(lambda: self.dates() and all(re.match(r"Mon \d+-08-", one)
                                                     for one in self.dates()), "not in August")

    def test_what_cannot_be_is_refused_at_its_field(self):
        """R96, R108: first day, last day, no description, and one moved into the past."""
        fob = self.begin()
        fob.add_series(PIN, rule={"kind": "days", "every": 1}, escalates=False)
        self.open_view("/new")
        lead = self.page.find("combobox", "Can be answered before").text.split("\n")
        self.assertEqual((lead[0].strip(), lead[-1].strip()), ("0 minutes", "4 weeks"))
        yesterday = datetime.datetime.now(ZONE).date() - datetime.timedelta(days=1)

        def refused(label, value, words):
            field = self.fill(label, value)
            self.page.says(words)
            self.assertEqual(field.get_attribute("aria-invalid"), "true")

        refused("First day", str(yesterday), "This is in the past.")
        self.fill("First day", str(yesterday + datetime.timedelta(days=2)))
        refused("Last day", str(yesterday), "The last day is in the past")
        self.page.press("Clear the last day")
        self.page.says_no_more("The last day is in the past")
        self.page.press("Silence calls people", "checkbox")
        self.page.press("Save")
        self.page.says("Say what is asked.")
        self.assertEqual(self.page.focused, "What is asked")
        self.page.press("Cancel")
        self.page.press("Discard")
        self.page.press(re.compile("^Edit Are you well"))
        self.page.press("This one")
        self.fill("Date", str(yesterday))
        self.page.press("Save")
        self.page.says("It cannot be moved into the past.")
        self.page.press("Cancel")
        self.page.press("Discard")
        self.page.lacks("dialog")

    def test_an_alarm_and_a_reload_lose_nothing_that_was_written(self):
        """R36, R110: Restore brings it back, "Go to check-ins" lets it go."""
        fob = self.begin("/new")
        self.page.write("What is asked", "Have you eaten?")
        # The browser itself asks before it takes the document away.
        self.assertTrue(self.driver.execute_script(
            "return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"))
        self.driver.refresh()
        self.page.press("Restore")
        field = self.page.find("textbox", "What is asked")
        self.assertEqual(field.get_attribute("value"), "Have you eaten?")
        fob.control(do="press")
        self.page.find("heading", "We're alerted")
        fob.ask("/v1/incidents/current/disarm", {"pin": PIN})
        fob.ask("/v1/incidents/current/resume", {})
        self.page.find("heading", "Status")
        self.page.follow(re.compile("^Check-ins"))
        self.page.press("Go to check-ins")
        self.page.says("No check-in yet")
        self.page.follow("New check-in")
        self.assertEqual(
            self.page.find("textbox", "What is asked").get_attribute("value"), "")

    def test_whoever_leaves_an_editor_with_changes_is_asked(self):
        """R115: save, discard or go on, in every editor, by link and by the way back, too."""
        fob = self.begin("/new")
        self.page.write("What is asked", "Have you eaten?")
        self.driver.execute_script("history.back()")
        self.page.find("heading", "Save your changes?")
        self.page.press("Go on")
        self.assertEqual(
            self.page.find("textbox", "What is asked").get_attribute("value"), "Have you eaten?")
        self.page.follow("Status")
        self.page.find("heading", "Save your changes?")
        self.page.press("Save")
        self.type_pin(PIN)
        self.page.find("heading", "Status")
        self.assertTrue(self.listed(fob, "Have you eaten?"))
        self.page.follow("Contacts")
        self.page.press("Edit Contact 1")
        self.page.write("Name", "Contact 9")
        self.driver.execute_script("location.hash = '#/history'")
        self.page.press("Discard")
        self.page.find("heading", "History")
        self.page.follow("Settings")
        self.page.press("Enter PIN")
        self.type_pin(PIN)
        self.page.write("Name", "Owner of it")
        self.page.follow("Status")
        self.page.press("Save")
        self.page.find("heading", "Status")
        self.assertEqual(fob.ask("/v1/account")["name"], "Owner of it")


class ListTests(CheckInTestCase):
    def test_a_phase_has_a_colour_a_word_and_a_shape(self):
        """R97, G12: red and yellow, green and blue, and none by its colour alone."""
        self.begin()
        looks = self.driver.execute_async_script(LOOKS, [
            ("late", -20), ("overdue", 0), ("soon", 20), ("scheduled", 21), ("inTime", 20),
            ("inTime", 21)])
        self.assertEqual([colour for _, colour, _ in looks],
                         ["red", "yellow", "green", "blue", "green", "blue"])
        self.assertEqual(len({word for word, _, _ in looks}), 5)
        self.assertEqual(len({shape for _, _, shape in looks}), 5)

    def test_the_list_is_looked_through(self):
        """R98, R99, R106: oldest first, badge, overview, search, and the overdue ones in turn."""
        fob = self.begin()
        fob.add_series(PIN, "Medicine", rule={"kind": "days", "every": 1}, escalates=False)
        self.overdue(fob, "First")
        self.overdue(fob, "Second")
        self.open_view()
        self.page.find("link", re.compile("^Check-ins 3 to answer$"))
        self.page.until(lambda: self.driver.title == "(3) Check-ins – fob", "the title has no 3")
        self.page.until(lambda: len(self.descriptions()) == 33, "not 31 of each series")
        self.assertEqual(self.descriptions()[:4], ["First", "Second", "Medicine", "Medicine"])
        for name in ("First", "Second", "First"):
            self.page.press("Next overdue (2)")
            focused = self.driver.switch_to.active_element
            self.assertIn(f"\n{name}\n", focused.text)
            self.assertEqual(focused.get_attribute("data-colour"), "yellow")
            self.assertTrue(focused.text.startswith("overdue"))
        self.page.press("Show overview")
        self.page.until(lambda: len(self.descriptions()) == 3, "not one of each series")
        self.page.press("Show all")
        self.driver.find_element("id", "check-in-search").send_keys("medi")
        self.page.until(lambda: set(self.descriptions()) == {"Medicine"}, "nothing is searched")

    def test_one_alone_is_changed_or_taken_out(self):
        """R107: the others stay; Delete asks; what escalates needs the PIN."""
        fob = self.begin()
        fob.add_series(PIN, rule={"kind": "days", "every": 1})
        self.open_view()
        self.page.press(re.compile("^Edit Are you well"))
        self.page.press("This one")
        self.page.write("What is asked", "Only today")
        self.page.press("Save")
        self.type_pin(PIN)
        self.page.says("“Are you well?” is changed.")
        self.assertEqual([one["description"] for one in fob.ask("/v1/check-ins")["checkIns"]][:3],
                         ["Only today", "Are you well?", "Are you well?"])
        self.page.press(re.compile("^Delete Only today"))
        self.page.press("No")
        self.assertEqual(len(self.listed(fob, "Only today")), 1)
        self.page.press(re.compile("^Delete Only today"))
        self.page.press("Yes, this one")
        self.type_pin(PIN)
        self.page.says("is taken out.")
        self.assertEqual(self.listed(fob, "Only today"), [])
        self.page.press(re.compile("^Delete Are you well"))
        self.page.press("Yes, the series")
        self.type_pin(PIN)
        self.page.says("No check-in yet")


class HistoryTests(CheckInTestCase):
    def test_an_answer_is_kept_with_its_comment_and_can_be_undone(self):
        """R101, R102: completed with a comment, which is edited; Restore asks, and loses it."""
        fob = self.begin()
        fob.add_series(PIN)
        self.open_view()
        self.page.press(re.compile("^Complete Are you well"))
        self.page.write("Comment (optional)", "Slept well")
        self.page.press("Complete")
        self.page.says("is completed.")
        self.page.follow("Past check-ins")
        self.page.says("Slept well")
        self.page.says("you, on the page")
        self.page.press("Edit the comment")
        self.page.write("Comment (optional)", "Slept badly")
        self.page.press("Save")
        self.page.says("Slept badly")
        entry = fob.ask("/v1/check-ins/history")["entries"][0]
        self.assertEqual((entry["state"], entry["comment"]), ("completed", "Slept badly"))
        self.page.press(re.compile("^Restore Are you well"))
        self.page.says("Its comment and the time of its answer are lost.")
        self.page.press("Restore")
        self.page.says("“Are you well?” asks again.")
        self.page.says_no_more("Slept badly")
        self.assertEqual(fob.status["checkIns"]["inTime"], 1)

    def test_an_ended_series_is_begun_anew(self):
        """R109: from the history, with its data and a new first day."""
        fob = self.begin()
        one = fob.add_series(PIN, "Medicine", escalates=False)
        key = self.listed(fob, "Medicine")[0]["key"]
        fob.ask(f"/v1/check-ins/{one['id']}/{key}/complete", {})
        self.open_view("/history")
        self.page.follow("Reactivate Medicine")
        self.assertEqual(
            self.page.find("textbox", "What is asked").get_attribute("value"), "Medicine")
        tomorrow = datetime.datetime.now(ZONE).date() + datetime.timedelta(days=1)
        self.fill("Date", str(tomorrow))
        self.page.press("Reactivate")
        self.page.says("The series is asked again.")
        self.page.until(lambda: self.descriptions() == ["Medicine"], "it is not listed")


class PartTests(CheckInTestCase):
    def test_settings_say_how_it_asks_and_how_times_are_written(self):
        """R100, R103, R105, R112: with limits; clock and dates count in every view."""
        fob = self.begin()
        fob.add_series(PIN, "Medicine", rule={"kind": "days", "every": 1}, escalates=False)
        self.open_view("/settings")
        self.fill("Minutes until it is asked again", "61")
        self.page.press("Save")
        self.page.says("Between 1 and 60 minutes.")
        for label, value in (("Minutes until it is asked again", "7"),
                             ("Shown of each series", "2"),
                             ("Entries kept in the history", "20"),
                             ("Entries shown in the log", "10")):
            self.fill(label, value)
        self.page.choose("Clock", "12 hours: 9:00 pm")
        self.page.choose("Dates", "25.11.2026")
        self.page.press("Mail me, too", "checkbox")
        self.page.press("Save")
        self.page.says("The settings are saved.")
        self.assertEqual(fob.ask("/v1/check-ins/settings"), {
            "nagEvery": 7, "shown": 2, "history": 20, "logShown": 10, "clock": "12",
            "dateOrder": "dmy", "mails": True})
        self.page.follow("List")
        self.page.says(re.compile(r"\w{3} \d\d\.\d\d\.\d{4}, 1?\d:\d\d\s[APap][Mm]"))
        self.page.until(lambda: len(self.descriptions()) == 2, "not two of the series")
        self.page.follow("History")
        self.page.press("Log")
        self.page.says("Only the newest 10 entries are shown")
        self.page.says(re.compile(r"\d\d\.\d\d\.\d{4}, 1?\d:\d\d:\d\d\s[APap][Mm]"))

    def test_statistics_are_reset_only_by_yes(self):
        """R111: program, memory, database and files; the counts go to 0, and nothing else."""
        fob = self.begin()
        one = fob.add_series(PIN, "Medicine", escalates=False)
        key = self.listed(fob, "Medicine")[0]["key"]
        fob.ask(f"/v1/check-ins/{one['id']}/{key}/complete", {})
        self.open_view("/statistics")
        for words in ("Version", "Memory", "fob.sqlite", "Battery", "Screen"):
            self.page.says(words)
        counted = lambda: fob.ask("/v1/statistics")["checkIns"]["completed"]
        self.assertGreater(counted(), 0)
        self.page.press("Reset statistics")
        self.page.press("No")
        self.assertGreater(counted(), 0)
        self.page.press("Reset statistics")
        self.page.press("Yes")
        self.page.says("The counts are 0.")
        self.assertEqual(counted(), 0)
        self.assertGreater(fob.ask("/v1/check-ins/history")["total"], 0)

    def test_the_guide_is_inside_the_product(self):
        """R116: what check-ins are for, the kinds, the colours, and what silence does."""
        self.begin("")
        self.page.follow("Help")
        for heading in ("What they are for", "Five kinds", "Colours", "What silence does",
                        "Nothing is lost"):
            self.page.find("heading", heading)


class StatusTests(CheckInTestCase):
    def test_one_press_says_that_all_is_well(self):
        """R99, G17: with mm:ss until people are called, by the core's clock; then it is gone."""
        fob = self.begin()
        self.driver.execute_script(HEARING)
        fob.add_series(PIN, minutes=20)
        self.page.find("heading", "Are you well?")
        status = fob.status
        left = (status["checkIns"]["calledAt"] - status["now"]["wall"]) / 1e6
        shown = self.page.says(re.compile(r"Until people are called\s+(\d+):(\d\d)"))
        seconds = int(shown.group(1)) * 60 + int(shown.group(2))
        self.assertLess(abs(left - seconds), 3)
        told = lambda: self.driver.execute_script("return window.told")
        self.page.until(told, "no notification was raised")
        self.assertEqual(told()[0][0], "Are you well?")
        self.assertIn("Are you well?", told()[0][1])
        self.page.find("link", re.compile("^Check-ins 1 to answer$"))
        self.page.press("I'm well")
        self.page.lacks("button", "I'm well")
        self.page.until(lambda: "closed" in told(), "the notification stays")
        self.assertEqual(fob.ask("/v1/check-ins/history")["entries"][0]["state"], "completed")

    def test_that_check_ins_raise_no_alarm_is_said_in_red(self):
        """G17: on the status and in the view, with the way to start protection."""
        fob = self.begin()
        fob.add_series(PIN)
        fob.ask("/v1/protection", method="DELETE")
        self.page.find("heading", "Check-ins raise no alarm")
        self.page.says("You are not protected.")
        self.open_view()
        self.page.find("heading", "Check-ins raise no alarm")
        self.page.press("Start protection")
        self.page.lacks("heading", "Check-ins raise no alarm")
        self.assertTrue(fob.status["account"]["isProtecting"])


class SilenceTests(PageTestCase):
    def test_silence_calls_people_and_the_page_says_that_nobody_answered(self):
        """R97, R100, G12, G17, R124: yellow, asked again, red, and then the alarm's own view."""
        clock = Time()
        self.addCleanup(clock.end)
        fob = self.start_set_up("--test-clock", clock.path)
        fob.add_series(PIN, minutes=2, limit=30)
        self.page.find("heading", "Status")
        self.page.open("/#/checkIns")

        def stands(word, colour):
            self.page.says(word)
            row = self.driver.find_element("css selector", ".check-in")
            self.assertEqual(row.get_attribute("data-colour"), colour)

        def told():
            return self.driver.execute_script(
                "return told.filter((one) => one !== 'closed').length")

        stands("in time", "green")
        self.driver.execute_script(HEARING)
        clock.move(3)
        stands("overdue", "yellow")
        self.page.until(lambda: told() == 1, "nothing is raised where it falls due")
        clock.move(23)
        stands("long overdue", "red")
        self.page.until(lambda: told() > 1, "nothing is raised where it is asked again")
        self.page.follow("Status")
        self.page.find("heading", "Are you well?")
        clock.move(33)
        self.page.find("heading", "Are you all right?")
        self.page.says("Nobody has answered the check-in “Are you well?”, due")
        self.assertFalse(self.page.is_saying("was pressed"))
        clock.move(36)
        self.page.find("heading", "We're alerted")
        self.page.says("Nobody has answered the check-in “Are you well?”, due")
        self.assertFalse(self.page.is_saying("was pressed"))
        fob.ask("/v1/incidents/current/disarm", {"pin": PIN})
        fob.ask("/v1/incidents/current/resume", {})
        self.page.find("heading", "Status")
        self.page.follow("History")
        self.page.says("nobody: the check-in “Are you well?”, due")
        self.page.open("/#/checkIns/history")
        self.page.says("not answered: alarm")
        self.page.says("Asked again")
        self.page.find("link", "See the alarms")
