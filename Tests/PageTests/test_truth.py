"""The page tells the truth throughout: what is old is said to be old, and nothing is made up."""

import pathlib
import random
import re

from page_test_case import BUTTON, PIN, PageTestCase

TEXTS = pathlib.Path(__file__).parent.parent.parent / "Sources/CPage/page/script/texts"
CONCERNS = (
    "alarm", "storage", "damage", "noAccount", "loggedOut", "noKeychain", "link", "checkIn",
    "checkInsRaiseNothing", "noContacts", "unreachable", "battery", "gps", "doubted", "notSetUp",
    "notProtecting", "protectionLacks", "unconfirmedEmail", "noPIN")
# What the page says at a glance of a status, as the core may tell it.
EXPOSING = {"noAccount", "loggedOut", "noKeychain", "link", "noContacts", "notSetUp",
            "notProtecting", "checkInsRaiseNothing"}
# What the page says at a glance of each status, as a core may tell it.
GLANCE = """
const [worlds, done] = arguments;
const say = (glance) => (world) => {
  const model = Object.assign(new EventTarget(),
    { status: world, isStale: world.isStale, until: () => -1000, age: 0 });
  const leaving = new AbortController();
  const element = glance(model, leaving.signal);
  leaving.abort();
  return [...element.querySelectorAll("#overall, .glance, .todo h3")]
    .filter((one) => !one.closest("[hidden]")).map((one) => one.textContent);
};
import("/page/script/app/status/glance.js")
  .then(({ glance }) => done(worlds.map(say(glance))));
"""


class TruthTests(PageTestCase):
    @property
    def is_greyed(self):
        return self.driver.execute_script("return document.body.classList.contains('stale')")

    def test_a_core_that_is_killed_in_an_alarm_comes_back_to_it(self):
        """R36, R58: kill -9 in the middle: what is not known is said, and it goes on."""
        fob = self.start_set_up()
        self.raise_alarm(fob)
        incident = fob.status["incident"]["id"]
        self.page.says(re.compile(r"\b0\d:\d\d\b"))
        fob.kill()
        self.page.says("What stands here was true")
        self.page.until(lambda: self.is_greyed, "what is old is not greyed")
        self.page.says(re.compile(r"second(s)? ago"))
        # A time of day has seconds behind its minutes.
        self.assertFalse(self.page.is_saying(re.compile(r"(?<!:)\b0[0-4]:\d\d\b(?!:)")))
        self.page.shoot("alarm-connection-lost")
        fob.start()
        # The session outlives the core: the page goes on where it was.
        self.page.until(lambda: not self.is_greyed, "what is new is greyed", seconds=30)
        self.page.find("heading", "We're alerted")
        self.assertEqual(fob.status["incident"]["id"], incident)
        self.page.press("Cancel the alarm")
        self.type_pin(PIN)
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_ENDED")

    def test_a_keychain_that_is_unplugged_is_told_and_comes_back(self):
        """R2, R24, R26, R29, R30, R33: the link is an error with its cause, the service is good."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        self.page.press(re.compile("^Plug and power"))
        self.page.press("Unplug")
        self.page.find("heading", "Error!")
        self.page.says("Battery life unknown")
        self.page.says("Connected to")
        self.page.says("Device not found")
        self.page.shoot("status-unplugged")
        self.assertFalse(fob.status["devices"][0]["isLinked"])
        self.page.press("Plug in")
        self.page.find("heading", "All good!")
        self.page.lacks("heading", "Device not found")

    def test_a_press_while_unplugged_comes_with_the_plug(self):
        """R35: what nobody heard is kept by the keychain, and the page shows it when it is told."""
        fob = self.start_set_up()
        fob.control(do="unplug")
        self.page.find("heading", "Error!")
        self.page.hold(BUTTON)
        self.page.let_go()
        self.page.find("heading", "Error!")
        fob.control(do="replug")
        self.page.find("heading", "We're alerted")

    def test_the_status_has_cause_and_advice(self):
        """R24 to R27, R30, R32: levels of battery and GPS, with what to do about them."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        self.page.says("Battery at 87%")
        self.page.says("GPS Signal Good")
        fob.control(do="battery", percent=14)
        self.page.find("heading", "Warnings!")
        level = self.page.says(re.compile(r"Battery at (\d+)%")).group(1)
        self.assertLessEqual(int(level), 20)
        self.page.says("Charge your")
        self.page.find("image", "Warning")
        self.page.shoot("status-warnings")
        fob.control(do="battery", percent=87)
        self.page.find("heading", "All good!")
        # R27
        self.page.says(re.compile("checked", re.I))

    def test_a_refresh_without_an_answer_is_an_error(self):
        """R28, R31: with the core gone there is no "All good!", asked for or not."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        self.page.press("Refresh")
        self.page.find("heading", "All good!")
        fob.kill()
        self.page.press("Refresh")
        self.page.lacks("heading", "All good!")
        self.page.find("heading", "Error!")
        self.page.says("What stands here was true")

    def test_protection_that_is_stopped_is_told_apart(self):
        """R48, R57: not as "protecting, nothing happened"; the PIN stops it, and none starts it."""
        fob = self.start_set_up()
        self.page.press("Stop protection")
        self.type_pin("0000")
        self.page.says("Wrong PIN. Nothing has changed.")
        self.assertTrue(fob.status["account"]["isProtecting"])
        self.page.press("Try Again")
        self.type_pin(PIN)
        self.page.find("heading", "Not protecting")
        self.assertFalse(fob.status["account"]["isProtecting"])
        self.page.press("Start protection")
        self.page.find("heading", "Protecting")
        self.assertTrue(fob.status["account"]["isProtecting"])

    def test_what_is_to_be_done_has_one_button_that_leads_there(self):
        """R14, R24, R48: not "All good!" while anything is; the most urgent first."""
        fob = self.start_set_up(contacts=())
        self.page.find("heading", "Nobody would be told")
        self.assertFalse(self.page.has("heading", "All good!"))
        self.page.says("You are not protected.")
        self.page.until(
            lambda: len(self.driver.find_elements("css selector", ".hero .main")) == 1,
            "there is not one button")
        self.page.follow("Add contacts")
        self.page.find("button", "Add contact")
        fob.ask("/v1/contacts", {"name": "Contact 1", "pin": PIN, "numbers": [
            {"number": "+15555550200", "chosen": True}]})
        self.page.follow("Status")
        self.page.find("heading", "All good!")
        self.page.says("You are protected. 1 contact is told of an alarm.")

    def test_an_address_that_is_not_confirmed_is_no_all_good(self):
        """R12, R24: the mail can be sent again from where it says so."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        fob.ask("/v1/account", {"email": "other@example.org", "pin": PIN}, "PATCH")
        self.page.find("heading", "Confirm Email Address")
        self.assertFalse(self.page.has("heading", "All good!"))
        self.page.press("Resend")
        self.page.says("The mail is on its way.")
        fob.confirm_email()
        self.page.find("heading", "All good!")

    def test_no_world_with_a_concern_is_called_good(self):
        """R24 to R26, R28: whatever the core says besides; and a code that is new is shown."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        worlds = [world_of(fob.status, random.Random(seed)) for seed in range(300)]
        said = self.driver.execute_async_script(GLANCE, worlds)
        for world, words in zip(worlds, said):
            concerns = world["concerns"]
            is_good = not concerns and not world["isStale"]
            self.assertEqual("All good!" in words, is_good, (concerns, words))
            if EXPOSING & set(concerns) or world["isStale"]:
                self.assertNotIn("You are protected", " ".join(words), concerns)
            self.assertEqual(len(words), 3 if concerns and not world["isStale"] else 2, words)

    def test_an_alarm_and_a_low_battery_raise_notifications(self):
        """R34, R56: where they are allowed; of the battery as often as the core says it."""
        fob = self.start_set_up()
        self.page.find("heading", "All good!")
        self.driver.execute_script("""
            window.told = [];
            window.Notification = class extends EventTarget {
              static permission = "granted";
              constructor(title, { body }) { super(); told.push([title, body]); }
              close() {}
            };""")
        fob.control(do="battery", percent=14)
        self.page.find("heading", "Warnings!")
        self.page.until(lambda: self.told, "no notification was raised")
        self.assertRegex(self.told[0][0], r"^Battery at \d+%$")
        self.assertEqual(self.told[0][1], "Charge your SafeTime device soon")
        self.raise_alarm(fob)
        self.page.until(lambda: len(self.told) == 2, "no notification was raised")
        self.assertEqual(self.told[1][0], "Alarm")

    @property
    def told(self):
        return self.driver.execute_script("return window.told")

    def test_rows_have_their_words_by_code(self):
        """R29, R30, R32: each state of battery, GPS and link its own; others the core's words."""
        self.start_set_up()
        texts = (TEXTS / "en/status.js").read_text("utf-8")
        codes = re.findall(r'"row\.(link\w+|battery\w+|gps\w+)":', texts)
        rows = [{"code": code, "text": "?", "advice": "!", "percent": 14, "locatedAge": 480,
                 "detail": "detail"} for code in [*codes, "new"]]
        words = self.driver.execute_async_script("""
            const [rows, done] = arguments;
            import("/page/script/app/status/lines.js").then(({ rowWords }) =>
              done(rows.map((row) => Object.values(rowWords(row, 0)))));""", rows)
        said = dict(zip([*codes, "new"], words))
        self.assertEqual(said["new"], ["?", "!"])
        self.assertEqual(said["batteryLow"],
                         ["Battery at 14%", "Charge your SafeTime device soon"])
        self.assertEqual(said["gpsWeak"],
                         ["GPS Signal Weak", "Last location recorded 8 minutes ago"])
        self.assertEqual(said["linkDown"][0], "USB not connected")
        self.assertRegex(said["linkDown"][1], "^Cannot find SafeTime device")
        self.assertEqual(said["gpsOff"][0], "GPS disabled")
        states = [said[f"gps{state}"][0] for state in ("Off", "Searching", "Weak", "Good")]
        self.assertEqual(len(set(states)), 4)

    def test_no_text_has_a_number_to_call(self):
        """R46: which one it is, is the core's to say."""
        for path in TEXTS.rglob("*.js"):
            self.assertNotRegex(path.read_text("utf-8"), r"\b(112|911|999)\b", path)

    def test_a_press_while_logged_out_is_shown_loudly(self):
        """R20, G5: nobody is told, and the page does not pretend otherwise."""
        fob = self.start_set_up()
        fob.ask("/v1/account/logout", {"pin": PIN})
        fob.control(do="press")
        fob.wait_for(lambda now: now["state"] == "EMERGENCY_SENDING_FAILED")
        self.page.find("link", "Call 911")
        self.assertEqual(fob.messages, [])


def world_of(status, chance):
    """A status with concerns as they may come together, and with what may stand beside them."""
    some = chance.choice((0, 1, 2, 5))
    concerns = sorted(chance.sample(CONCERNS, some), key=CONCERNS.index)
    if concerns and chance.random() < 0.1:
        concerns.append("new")
    return status | {
        "concerns": concerns, "isStale": chance.random() < 0.1,
        "overall": chance.choice(("warning", "error")) if concerns else "good",
        "unreachable": ["contact-1"] if "unreachable" in concerns else [],
        "contacts": 0 if "noContacts" in concerns else 2,
    }
