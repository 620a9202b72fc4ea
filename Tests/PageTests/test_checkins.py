"""Check-ins: what is asked and when, and that no change is lost."""

import datetime
import re

from check_in_test_case import CheckInTestCase
from page_test_case import PIN
from running_fob import ZONE

# What stands in a row, as the page's own modules make it: word, colour and shape of a phase.
LOOKS = """
const [rows, done] = arguments;
import("/page/script/app/check-ins.js")
  .then(() => import("/page/script/app/check-ins/words.js"))
  .then(({ colourOf, phaseSign, phaseWord }) => done(rows.map(([phase, minutes]) => [
    phaseWord(phase), colourOf({ phase, due: minutes * 60e6 }, 0), phaseSign(phase).innerHTML,
  ])));
"""


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
        self.page.until(
            lambda: len(self.page.all("combobox", "Kind of day")) == 1, "not one kind of day")
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
            self.page.until(lambda: field.get_attribute("aria-invalid") == "true",
                            f"{label} is not said to be wrong")

        refused("First day", str(yesterday), "This is in the past.")
        self.fill("First day", str(yesterday + datetime.timedelta(days=2)))
        refused("Last day", str(yesterday), "The last day is in the past")
        self.page.press("Clear the last day")
        self.page.says_no_more("The last day is in the past")
        self.page.press("Silence calls people", "checkbox")
        self.page.press("Save")
        self.page.says("Say what is asked.")
        self.page.until(
            lambda: self.page.focused == "What is asked", "the focus is not at the field")
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

    def test_a_single_one_that_is_new_is_refused_where_its_time_has_passed(self):
        """R108: it is in the past; nothing was moved there."""
        self.begin("/new")
        self.page.press("Once", "tab")
        self.page.write("What is asked", "Have you eaten?")
        self.fill("Date", f"{datetime.datetime.now(ZONE):%Y-%m-%d}")
        self.fill("Time", "00:00")
        self.page.says("This is in the past.")
        self.page.press("Silence calls people", "checkbox")
        self.page.press("Save")
        self.page.says("This is in the past.")
        self.assertFalse(self.page.is_saying("moved"))

    def test_changed_dates_that_go_with_an_edit_are_counted_before(self):
        """R107: another time drops them, and it is asked first; other words drop none."""
        fob = self.begin()
        one = fob.add_series(
            PIN, "Medicine", rule={"kind": "days", "every": 1}, escalates=False, minutes=90)
        dates = self.listed(fob, "Medicine")
        path = f"/v1/check-ins/{one['id']}/"
        fob.ask(path + dates[2]["key"], {"description": "Only that day"}, "PATCH")
        fob.ask(path + dates[3]["key"], {}, "DELETE")
        self.open_view(f"/edit/{one['id']}")
        self.page.find("textbox", "What is asked")
        self.page.press("Cancel")
        # Nobody is asked about an editor that they have not touched.
        self.page.find("link", "New check-in")
        self.open_view(f"/edit/{one['id']}")
        self.page.write("What is asked", "Pills")
        self.page.press("Save")
        self.page.says("The series is saved.")
        self.assertTrue(self.listed(fob, "Only that day"))
        self.open_view(f"/edit/{one['id']}")
        self.page.find("textbox", "What is asked")
        self.fill("Time", "23:59")
        self.page.press("Save")
        self.page.says("2 dates that were changed or taken out alone go back to the rule.")
        self.page.press("Cancel")
        self.page.lacks("dialog")
        self.assertTrue(self.listed(fob, "Only that day"))
        self.page.press("Save")
        self.page.find("heading", "Save the series?")
        self.page.press("Save")
        self.page.says("The series is saved.")
        self.assertEqual(self.listed(fob, "Only that day"), [])

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
        self.page.says("33 check-ins")
        self.shows("First", "Second", *["Medicine"] * 4)
        for name in ("First", "Second", "First"):
            self.page.press("Next overdue (2)")
            self.page.until(lambda: self.is_focused(name), f"the focus is not at {name}")
        self.page.press("Show overview")
        self.shows("First", "Second", "Medicine")
        self.page.press("Show all")
        self.driver.find_element("id", "check-in-search").send_keys("medi")
        self.page.until(lambda: set(self.descriptions()) == {"Medicine"}, "nothing is searched")

    def test_the_later_ones_of_a_series_unfold(self):
        """R105: the next three stand there, the others behind a button that counts them."""
        fob = self.begin()
        fob.add_series(PIN, "Medicine", rule={"kind": "days", "every": 1}, escalates=False)
        fob.add_series(PIN, "Four", escalates=False, minutes=3 * 1_440, rule={
            "kind": "days", "every": 1, "times": 4, "hoursApart": 1},
            end=f"{datetime.datetime.now(ZONE) + datetime.timedelta(days=3):%Y-%m-%d}")
        self.open_view()
        self.page.says("35 check-ins")
        # One that can be answered is none of the three.
        few = ["Medicine"] * 4 + ["Four"] * 4
        self.page.until(lambda: sorted(self.descriptions()) == sorted(few), "not the next three")
        button = self.page.find("button", "Show 27 more of “Medicine”")
        self.assertEqual(button.get_attribute("aria-expanded"), "false")
        self.driver.execute_script("arguments[0].focus()", button)
        self.page.type("\ue007")
        self.page.until(lambda: len(self.descriptions()) == 35, "not all of them unfold")
        self.page.find("button", "Show fewer of “Medicine”")
        self.assertEqual(self.page.focused, "Show fewer of “Medicine”")
        # What is told of others meanwhile folds nothing.
        fob.add_series(PIN, "One more", escalates=False)
        self.page.says("36 check-ins")
        self.page.until(lambda: len(self.descriptions()) == 36, "they were folded")
        self.page.type(" ")
        self.page.until(lambda: len(self.descriptions()) == 9, "they are not folded again")
        self.page.find("button", "Show 27 more of “Medicine”")
        self.page.until(lambda: self.page.focused.startswith("Show 27"), "the focus is lost")

    def shows(self, *descriptions):
        self.page.until(lambda: self.descriptions() == list(descriptions),
                        f"the list is not {descriptions}")

    def is_focused(self, name):
        """A card of that description, which is overdue."""
        card = self.driver.switch_to.active_element
        return (card.text.startswith("overdue") and f"\n{name}\n" in card.text
                and card.get_attribute("data-colour") == "yellow")

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
