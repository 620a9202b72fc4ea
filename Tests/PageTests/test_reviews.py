"""Looking back on an alarm: four steps behind the PIN, their history, and what is not lost."""

import re

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
