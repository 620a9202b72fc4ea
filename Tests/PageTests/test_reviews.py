"""Looking back on an alarm: four steps behind the PIN, their history, and what is not lost."""

import os
import re
import time

from page_test_case import PIN, PageTestCase

ANSWER = "The stairs were dark"


class ReviewTests(PageTestCase):
    def begin_at_status(self):
        self.fob = self.start_set_up(contacts=("Contact 1",))
        self.page.find("heading", "Status")

    def have_alarm(self):
        self.fob.has_had_an_alarm(PIN)
        self.page.find("heading", "Status")

    def unlock(self):
        self.page.press("Enter PIN")
        self.type_pin(PIN)

    def answer(self, question, text):
        self.page.find("heading", question)
        self.page.write(question, text)
        self.page.press("Save & continue")

    def test_an_alarm_is_looked_back_on_step_by_step(self):
        """R80 to R84: offered, four steps, left by an alarm, restored, completed, edited."""
        self.begin_at_status()
        self.have_alarm()
        self.page.find("heading", re.compile("Look back on the alarm of"))
        self.page.follow("Begin")
        self.unlock()
        self.page.find("heading", "What happened, and what did you feel?")
        save = self.page.find("button", "Save & continue")
        self.assertEqual(save.get_attribute("aria-disabled"), "true")
        self.page.press("More on Wonder")
        self.page.says("Nobody else reads this")
        self.page.press("OK")
        self.answer("What happened, and what did you feel?", ANSWER)
        self.page.find("heading", "What else could it have been?")
        self.page.write("What else could it have been?", "Left behind")
        # R36: an alarm asks nothing, and what was typed is there afterwards.
        address = self.driver.execute_script("return location.hash")
        self.have_alarm()
        self.page.press("Not now")
        self.page.open("/" + address)
        self.unlock()
        self.page.says("You typed something that was not saved")
        self.page.press("Restore")
        self.page.press("Save & continue")
        self.answer("What do you take from it?", "A lamp")
        self.page.press("Wonder, answered")
        self.page.find("heading", "What happened, and what did you feel?")
        self.page.press("Loop, no answer yet")
        self.answer("What will you do next time?", "Take the lift")
        self.page.says("Completed.")
        self.look_at("reviews")
        self.page.press("Week before")
        self.page.says("Nothing in this week.")
        self.page.press("Week after")
        self.page.press(re.compile("Edit the review of"), role="link")
        field = self.page.find("textbox", "What happened, and what did you feel?")
        self.assertEqual(field.get_attribute("value"), ANSWER)
        self.look_at("review")
        self.assertFalse(any(ANSWER in str(line) for line in self.fob.ask("/v1/log")["lines"]))

    def test_it_is_usable_within_two_seconds(self):
        """R88: from the address to the first button, of a page that the browser has not yet."""
        self.begin_at_status()
        alone = bool(os.environ.get("FOB_SOAK"))
        times = []
        for _ in range(100 if alone else 3):
            self.driver.get("about:blank")
            self.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            began = time.monotonic()
            self.page.open("/#/review")
            self.page.find("button", "Enter PIN")
            times.append(time.monotonic() - began if alone else self.page.processor_time)
        # Beside other programs a clock tells of them: there it is what the page itself computes.
        self.assertLessEqual(sorted(times)[int(0.99 * len(times))], 2)

    def test_who_waits_longer_than_two_seconds_is_told(self):
        """R88: the word comes after 2 s, not before, and goes with what it stood for."""
        self.begin_at_status()
        self.page.open("/#/review")
        self.driver.execute_script("""
            const ask = window.fetch;
            const held = new Promise((go) => { window.letGo = go; });
            window.fetch = async (...what) => {
              if (String(what[0]?.url ?? what[0]).includes("/v1/reviews")) await held;
              return ask(...what);
            };
            window.loadingAfter = new Promise((tell) => {
              const began = performance.now();
              new MutationObserver(() => {
                if (document.body.textContent.includes("Loading …")) {
                  tell(performance.now() - began);
                }
              }).observe(document.body, { childList: true, subtree: true, characterData: true });
            });""")
        self.unlock()
        waited = self.driver.execute_async_script(
            "window.loadingAfter.then(arguments[arguments.length - 1])")
        self.assertGreaterEqual(waited, 2_000)
        self.driver.execute_script("window.letGo()")
        self.page.says_no_more("Loading …")
        self.page.find("link", "Begin a review")

    def test_the_later_of_two_windows_sees_both_texts(self):
        """R82: nothing that was saved is overwritten unseen."""
        self.begin_at_status()
        self.page.open("/#/review/new")
        self.unlock()
        self.page.find("heading", "What happened, and what did you feel?")
        number = self.driver.execute_script("return location.hash").split("/")[2]
        self.driver.execute_async_script(
            """
            const [path, pin, done] = arguments;
            import("/page/script/api.js").then(({ api }) => api.put(
              path, { text: "From elsewhere", version: 0 }, { "Fob-PIN": pin })).then(done);
            """, f"/v1/reviews/{number}/steps/1", PIN)
        self.answer("What happened, and what did you feel?", ANSWER)
        self.page.says("From elsewhere")
        field = self.page.find("textbox", "What happened, and what did you feel?")
        self.assertEqual(field.get_attribute("value"), ANSWER)
        self.page.press("Save & continue")
        self.page.find("heading", "What else could it have been?")
        self.page.follow("All reviews")
        self.page.press(re.compile("Add a response to the review of"), role="link")
        self.page.find("heading", "What else could it have been?")
        self.page.follow("All reviews")
        self.page.press(re.compile("Delete the review of"))
        self.page.press("Delete")
        self.page.says("Deleted.")
