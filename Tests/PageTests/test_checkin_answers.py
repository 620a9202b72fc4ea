"""Check-ins: answers, silence, what is kept of both, and how it is asked."""

import datetime
import re

from check_in_test_case import CheckInTestCase
from page_test_case import PIN, PageTestCase
from running_fob import ZONE, Time

# Notifications of the system, as they are raised and taken back.
HEARING = """
window.told = [];
window.Notification = class extends EventTarget {
  static permission = "granted";
  constructor(title, { body }) { super(); told.push([title, body]); }
  close() { told.push("closed"); }
};
"""


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
        self.page.until(
            lambda: self.page.find("link", "Statistics").get_attribute("aria-current") == "page",
            "the part is not marked")
        self.assertIsNone(self.page.find("link", "List").get_attribute("aria-current"))
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

    def test_no_word_is_broken_on_a_telephone(self):
        """R111: the statistics in every language, the other parts in that of the longest words."""
        fob = self.begin()
        fob.add_series(PIN, "Medicine", rule={"kind": "days", "every": 1})
        one = self.listed(fob, "Medicine")[0]
        fob.ask(f"/v1/check-ins/{one['series']}/{one['key']}/complete", {})
        self.page.looks(width=360, height=740)
        self.addCleanup(
            self.driver.execute_script, "localStorage.removeItem('fob-language')")
        parts = [(language, "/statistics") for language in ("en", "fr", "es")]
        parts += [("de", part) for part in (
            "", "/new", "/history", "/settings", "/statistics", "/help")]
        for language, part in parts:
            with self.subTest(language=language, part=part):
                self.driver.execute_script(
                    "localStorage.setItem('fob-language', arguments[0])", language)
                self.driver.get("about:blank")
                self.page.open(f"/#/checkIns{part}")
                self.page.until(
                    lambda: self.driver.find_elements("css selector", "main h2"),
                    "nothing is there")
                self.assertEqual(self.page.broken, [])
                self.assertEqual(self.page.cut, [])
                self.assertLessEqual(self.page.overflow, 0)

    def test_the_keychain_is_told_as_it_is_read(self):
        """What a click does is said of the profile that the core has, and of no other."""
        self.begin("")
        self.assertEqual(self.fob.status["profile"], "literal")
        self.page.says("A press of the keychain raises the alarm and answers nothing")
        self.page.follow("Help")
        self.page.says("A press of the keychain raises the alarm and answers nothing")
        self.page.says("a press ends the wait, and people are called at once")
        self.assertFalse(self.page.is_saying(re.compile("click", re.I)))

    def test_the_guide_is_inside_the_product(self):
        """R116: what check-ins are for, the kinds, the colours, and what silence does."""
        self.begin("")
        self.page.follow("Help")
        for heading in ("What they are for", "Five kinds", "Colours", "What silence does",
                        "Nothing is lost"):
            self.page.find("heading", heading)


class ProfileTests(PageTestCase):
    def test_a_click_is_told_where_clicks_are_read(self):
        """With profile guarded a click answers, and silences a countdown."""
        fob = self.start_set_up("--profile", "guarded")
        self.assertEqual(fob.status["profile"], "guarded")
        self.page.find("heading", "Status")
        self.page.open("/#/checkIns")
        self.page.says("One click of the keychain answers the oldest that can be answered.")
        self.page.follow("Help")
        self.page.says("One click of the keychain answers the oldest that can be answered.")
        self.page.says("a click only silences")
        self.assertFalse(self.page.is_saying("raises the alarm"))


class StatusTests(CheckInTestCase):
    def seconds_left(self, fob):
        """Until people are called, by the core."""
        status = fob.status
        return (status["checkIns"]["calledAt"] - status["now"]["wall"]) / 1e6

    def test_one_press_says_that_all_is_well(self):
        """R99, G17: with mm:ss until people are called, by the core's clock; then it is gone."""
        fob = self.begin()
        self.driver.execute_script(HEARING)
        fob.add_series(PIN, minutes=20)
        self.page.find("heading", "Are you well?")
        most = self.seconds_left(fob)
        shown = self.page.says(re.compile(r"Until people are called\s+(\d+):(\d\d)"))
        seconds = int(shown.group(1)) * 60 + int(shown.group(2))
        self.assertLess(seconds, most + 3)
        self.assertGreater(seconds, self.seconds_left(fob) - 3)
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
        fob.ask("/v1/protection", {"pin": PIN}, "DELETE")
        self.page.find("heading", "Check-ins raise no alarm")
        self.page.says("You are not protected.")
        self.open_view()
        self.page.find("heading", "Check-ins raise no alarm")
        self.page.says("Silence calls nobody while protection is off.")
        self.page.press("Start protection")
        self.page.lacks("heading", "Check-ins raise no alarm")
        self.page.says("Without an answer people are called")
        self.assertTrue(fob.status["account"]["isProtecting"])


class ZoneTests(PageTestCase):
    def test_due_times_are_those_of_the_account_wherever_the_browser_is(self):
        """On the status, in the alarm and in the history as in the list, and the zone is named."""
        self.set_zone("Pacific/Kiritimati")
        self.addCleanup(self.set_zone, "")
        clock = Time()
        self.addCleanup(clock.end)
        fob = self.start_set_up("--test-clock", clock.path)
        fob.add_series(PIN, minutes=20, limit=20)
        due = datetime.datetime.fromtimestamp(
            fob.ask("/v1/check-ins")["checkIns"][0]["due"] / 1e6, ZONE)
        at = rf"{due:%H:%M} (GMT|CES?T)"
        self.page.says(re.compile(rf"“Are you well\?”, due ([^,]*, )?{at}"))
        self.page.follow(re.compile("^Check-ins"))
        self.page.says(re.compile(rf"in time\s+{due:%a} .*, {due:%H:%M}\n"))
        clock.move(50)
        self.page.find("heading", "Are you all right?")
        self.page.says(re.compile(rf"the check-in “Are you well\?”, due ([^,]*, )?{at}"))
        fob.ask("/v1/incidents/current/disarm", {"pin": PIN})
        fob.ask("/v1/incidents/current/resume", {})
        self.page.find("heading", "Status")
        self.page.follow("History")
        self.page.says(re.compile(rf"the check-in “Are you well\?”, due ([^,]*, )?{at}"))

    def set_zone(self, zone):
        """Of the browser; "" is that of the machine."""
        self.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})


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
            self.page.until(
                lambda: self.driver.find_element("css selector", ".check-in")
                .get_attribute("data-colour") == colour, f"{word} is not {colour}")

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
