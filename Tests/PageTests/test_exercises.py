"""Breathing, affirmations and grounding in the view "Calm" (R69 to R78, R117)."""

import json
import pathlib
import re
import struct
import tempfile

from page_test_case import PageTestCase

HELP = pathlib.Path(__file__).parents[2] / "Sources/CPage/page/help/en"


class ExerciseTests(PageTestCase):
    def begin(self, *options):
        fob = self.start_set_up(*options)
        self.page.find("heading", "Status")
        self.page.follow("Calm")
        self.page.find("heading", "Breathe")
        return fob

    def test_one_press_breathes_and_the_next_stops(self):
        """R69, R71 to R73: one press starts; the timer counts, ends at 00:00, and adds up."""
        self.begin()
        self.page.says("Not yet breathed this way.")
        self.page.press("Start")
        self.page.says("Breathe in")
        self.page.says("00:01")
        self.page.says("Hold")
        self.page.says("Breathe out")
        self.page.press("Stop")
        self.page.says(re.compile(r"Once, for 00:(0[89]|1\d)\."))
        self.page.says("00:00")
        self.page.find("button", "Restart")
        self.page.press("Clear the times")
        self.page.says("Not yet breathed this way.")

    def test_the_square_goes_with_the_light(self):
        """R70: the page's side changes within 100 ms of where the core says that the light is."""
        self.begin()
        self.page.press("Start")
        self.page.says("Breathe in")
        far = self.page.driver.execute_async_script("""
            const done = arguments[0];
            const word = document.querySelector(".breath");
            const offs = [];
            new MutationObserver(async (_, observer) => {
              const at = performance.now();
              const { api } = await import("/page/script/api.js");
              const asked = performance.now();
              const { running } = await api.get("/v1/exercises");
              const came = performance.now();
              const lit = running.lit / 1000 - ((asked + came) / 2 - at);
              const off = Math.min(lit % 4000, 4000 - lit % 4000);
              offs.push(off - (came - asked) / 2);
              if (offs.at(-1) < 100 || offs.length === 5) {
                observer.disconnect();
                done(offs);
              }
            }).observe(word, { childList: true, characterData: true, subtree: true });
        """)
        # Other programs may hold back one side, and none early.
        self.assertLess(min(far), 100)

    def test_without_a_keychain_the_square_alone_leads(self):
        """R70: what no light shows is said, and the light leads once it is back."""
        fob = self.begin()
        fob.control(do="unplug")
        fob.wait_for(lambda now: not any(one["isLinked"] for one in now["devices"]))
        self.page.press("Start")
        self.page.says("No keychain is linked: breathe with the square.")
        self.assertNotIn("lit", fob.ask("/v1/exercises")["running"])
        fob.control(do="replug")
        self.page.says_no_more("No keychain is linked")
        self.page.until(lambda: "lit" in fob.ask("/v1/exercises")["running"], "nothing is lit")

    def test_an_exercise_gives_way_to_an_alarm(self):
        """No exercise hides an alarm: the press ends it, and the page shows the alarm."""
        fob = self.begin()
        self.page.press("Start")
        self.page.says("Breathe in")
        self.page.follow("Status")
        self.raise_alarm(fob)
        now = self.page.driver.execute_async_script("""
            const done = arguments[0];
            import("/page/script/api.js").then(({ api }) => api.get("/v1/exercises")).then(done);
        """)
        self.assertNotIn("running", now)
        self.assertEqual(now["last"]["end"], "alarm")

    def test_grounding_counts_down_from_five(self):
        """R77: an item a press; the next goal is named; Retry begins anew."""
        self.begin()
        self.page.press("Begin")
        self.page.says("5 more things that you see")
        for left in ("4 more things that you see", "3 more things that you see"):
            self.page.press("I have one")
            self.page.says(left)
        self.page.press("From the start")
        self.page.says("5 more things that you see")
        for _ in range(5):
            self.page.press("I have one")
        self.page.says("5 more things that you touch")
        self.page.press("End it")
        self.page.says("It is over.")

    def begin_grounding(self):
        """And a file of a picture, red but for a blue quarter at each side."""
        fob = self.begin()
        self.page.press("Begin")
        self.page.says("5 more things that you see")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        blue, red = b"\xff\0\0", b"\0\0\xff"
        pixels = (blue * 12 + red * 24 + blue * 12) * 24
        file = pathlib.Path(folder.name, "red.bmp")
        file.write_bytes(b"BM" + struct.pack(
            "<IHHIIiiHHIIiiII", 54 + len(pixels), 0, 0, 54, 40, 48, 24, 1, 24, 0, len(pixels),
            0, 0, 0, 0) + pixels)
        return fob, str(file)

    def pictures(self, within):
        """Of those in that part, by name: width, height, and red, green and blue near a side."""
        return self.page.driver.execute_script("""
            return Object.fromEntries([...document.querySelectorAll(`${arguments[0]} canvas`)]
              .map((one) => [one.getAttribute("aria-label"), [one.width, one.height,
                ...one.getContext("2d").getImageData(8, 48, 1, 1).data.slice(0, 3)]]));
            """, within)

    def row(self):
        """The items of the present row: counted and open ones."""
        return self.page.driver.execute_script(
            'return document.querySelector(".items").textContent')

    def test_pictures_stay_in_the_page_and_end_as_a_grid(self):
        """R77, R117: a thumbnail an item, in its row, then in a grid of 5 × 9; none is sent."""
        fob, file = self.begin_grounding()
        red = [96, 96, 255, 0, 0]
        self.page.attach("Choose a picture of it", file)
        self.page.until(lambda: self.pictures(".items"), "no picture in the row")
        self.assertEqual(self.pictures(".items"), {"00": red})
        self.page.says("5 more things that you see")
        self.page.press("I have one")
        self.page.says("4 more things that you see")
        self.assertEqual(list(self.pictures(".items")), ["00"])
        for _ in range(4):
            self.page.press("I have one")
        self.page.says("5 more things that you touch")
        self.assertEqual(self.pictures(".items"), {})
        for _ in range(39):
            fob.ask("/v1/exercises/grounding/count", {})
        # The longer rows end by the same words: the page may still be at one of them.
        self.page.until(lambda: self.row() == "○", "not at the last row")
        self.page.says("1 more thing that you hear")
        self.page.attach("Choose a picture of it", file)
        self.page.until(lambda: self.pictures(".items") == {"44": red}, "no picture in the row")
        self.page.lacks("heading", "What you noticed")
        self.page.press("I have one")
        self.page.says("It is over.")
        self.page.find("heading", "What you noticed")
        titles, columns = self.page.driver.execute_script("""
            const grid = document.querySelector(".pictures");
            return [[...grid.children].map((one) => one.title),
              getComputedStyle(grid).gridTemplateColumns.split(" ").length];
            """)
        self.assertEqual(titles, [f"{item:02}" for item in range(45)])
        self.assertEqual(columns, 5)
        self.assertEqual(self.pictures(".pictures"), {"00": red, "44": red})
        sent = [request for request in self.requests()
                if request["method"] != "GET" and not request["url"].endswith("/v1/session")]
        self.assertGreaterEqual(len(sent), 7)
        for request in sent:
            # The bench below the page asks how its keychain stands.
            self.assertIn(request.get("postData", "{}"), ["{}", '{"do":"state"}'], request["url"])
        self.look_at("calm-pictures")

    def requests(self):
        """What the page has asked for since the last look."""
        entries = [json.loads(entry["message"])["message"]
                   for entry in self.driver.get_log("performance")]
        return [one["params"]["request"] for one in entries
                if one["method"] == "Network.requestWillBeSent"]

    def test_pictures_are_gone_with_the_view(self):
        """R117: Retry, End, a reload and another view leave none; what is no picture is refused."""
        fob, file = self.begin_grounding()

        def choose():
            self.page.attach("Choose a picture of it", file)
            self.page.until(lambda: self.pictures(".items"), "no picture in the row")

        choose()
        self.page.press("From the start")
        self.page.until(lambda: not self.pictures("body"), "a picture is left")
        choose()
        self.page.driver.refresh()
        self.page.says("5 more things that you see")
        self.assertEqual(self.pictures("body"), {})
        choose()
        self.page.follow("Status")
        self.page.find("heading", "Status")
        self.page.follow("Calm")
        self.page.says("5 more things that you see")
        self.assertEqual(self.pictures("body"), {})
        self.page.attach("Choose a picture of it", __file__)
        self.page.says("This browser cannot read that picture.")
        choose()
        self.page.press("End it")
        self.page.says("It is over.")
        self.assertEqual(self.pictures("body"), {})
        self.page.lacks("heading", "What you noticed")
        self.assertNotIn("running", fob.ask("/v1/exercises"))

    def test_help_is_shown_as_it_was_shipped(self):
        """R78: each part has its text, byte for byte, and the number of the owner's country."""
        self.begin()
        for name, title in (("messages", "Five messages"), ("breathing", "Breathe"),
                            ("affirmations", "A line for you"), ("grounding", "Look around")):
            self.page.press(f"Help: {title}")
            shipped = (HELP / f"{name}.txt").read_text(encoding="utf-8")
            shown = self.page.find("region", title).find_element("class name", "help-text")
            self.page.until(
                lambda: shown.get_property("textContent") == shipped, f"no help of {name}")
        self.assertEqual(len(self.page.all("link", "Call 911")), 4)
        self.look_at("calm-help")

    def test_affirmations_are_turned_added_deleted_and_reminded(self):
        """R75, R76: previous and next wrap round; a new line is the one that is shown."""
        self.begin()
        self.page.says("You are not reminded of it.")
        self.page.press("New line")
        self.page.write("Your line", "This passes.")
        self.page.press("Save")
        self.page.says("This passes.")
        self.page.press("Next")
        self.page.press("Previous")
        self.page.says("This passes.")
        self.page.press("Remind me")
        self.page.choose("How often", "Daily")
        self.page.choose("Hour", "9")
        self.page.choose("Minute", "30")
        self.page.press("Save")
        self.page.says("You are reminded each day at 09:30.")
        self.page.press("Delete this line")
        self.page.says_no_more("This passes.")
