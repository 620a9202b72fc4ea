"""What a test engineer sees: devices, the wire, latencies and conformance runs."""

import re

from page_test_case import PageTestCase


class BenchTests(PageTestCase):
    def open_bench(self, section, *options):
        fob = self.start_set_up(*options)
        self.page.find("heading", "Status")
        self.page.open("/bench#/" + section)
        return fob

    def test_the_bench_asks_to_log_in(self):
        """Who is not logged in is shown the way in, and nothing else."""
        self.start("--set-up")
        self.page.open("/bench")
        self.page.says("Log in")
        self.assertFalse(self.page.has("row", re.compile("8000")))

    def test_latencies_are_drawn_as_presses_come(self):
        """Before the first press it says so; then each stage is there, as the API has it."""
        fob = self.open_bench("latency")
        self.page.says("No press yet.")
        self.assertFalse(self.page.has("table"))
        for number in (1, 2):
            fob.control(do="press")
            self.page.says(re.compile(rf"\b{number} press(es)? since"))
        self.page.find("image", re.compile("^Medians of the stages of a press: debounce"))
        self.page.find("image", re.compile("^Stages of the last press: debounce"))
        self.page.find("image", re.compile("^Histograms of the durations"))
        self.page.says("Too few presses for a curve.")
        # Nor do so few make a p99, in a drawing or in the table.
        self.page.says("too few presses for that tail")
        drawn = self.page.find("image", re.compile("^Medians of the stages"))
        self.assertNotIn("p99", drawn.text)
        # Figures that are refused are red, and say so.
        refused = self.page.until(
            lambda: [cell for cell in self.driver.find_elements("css selector", "td.refused")
                     if cell.text == "too few"], "no figure is refused")
        self.assertEqual(refused[0].value_of_css_property("color"), "rgba(179, 21, 31, 1)")
        stages = fob.ask("/v1/bench/latency")["stages"]
        self.page.until(lambda: len(self.page.all("row")) == 1 + len(stages), "not each stage")
        for name in ("debounce", "wire", "durable", "press → light"):
            self.page.find("row", re.compile(rf"^{name}.*\n2 (refused: )?-?[\d,]+", re.S))
        self.page.shoot("bench-latency")

    def test_curves_come_with_presses_enough(self):
        """Percentile curves of the sums or of each stage, whichever is chosen."""
        fob = self.open_bench("latency")
        self.page.says("No press yet.")
        for _ in range(8):
            fob.control(do="press")
        self.page.says(re.compile(r"\b8 presses since"))
        self.page.find("image", re.compile("^Percentiles of (?!.*debounce).*press → decided"))
        self.page.choose("Curves of", "each stage")
        self.page.find("image", re.compile("^Percentiles of .*debounce"))

    def test_a_chapter_of_the_suite_runs_and_is_reported(self):
        """It says what is judged and how a real device is; outcomes come, and can be sifted."""
        fob = self.open_bench("conformance")
        self.page.says("production firmware")
        self.page.says("fob conform pty:")
        for chapter in ("protocol", "reliability", "time", "button", "led", "battery", "seal"):
            self.page.press(re.compile("^" + chapter), "checkbox")
        self.page.press("Start")
        self.page.find("progressbar", "Cases done")
        self.page.find("link", "Report as JSON", seconds=60)
        self.page.says(re.compile(r"(\d+) of \1 cases: \1 passed, 0 failed"))
        run = fob.ask("/v1/bench/conformance")
        self.assertEqual({outcome["chapter"] for outcome in run["outcomes"]}, {"gps"})
        for outcome in run["outcomes"]:
            self.page.find("row", re.compile(re.escape(outcome["case"])))
        self.page.choose("Show", "what failed")
        self.page.lacks("row", re.compile("gps/"))
        for form in ("json", "junit"):
            self.assertTrue(
                self.page.find("link", re.compile(f"^Report as {form}", re.I))
                .get_attribute("href").endswith(f"/v1/bench/conformance/report?form={form}"))
        self.page.shoot("bench-conformance")

    def test_no_chapter_is_no_run(self):
        """Without a chapter it asks for one; nothing is started."""
        fob = self.open_bench("conformance")
        self.page.find("button", "Start")
        for box in self.page.all("checkbox")[:8]:
            self.page.click(box)
        self.page.press("Start")
        self.page.says("Choose one chapter at least.")
        self.assertFalse(fob.ask("/v1/bench/conformance")["isRunning"])
