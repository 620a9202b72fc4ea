"""What the wire says, frame by frame, and the devices that say it."""

import re

from selenium.webdriver.common.keys import Keys

from page_test_case import PageTestCase

DEVICE = "8000000000000001"

# Tables that are wider than their place, and cells whose words are wider than they are.
CLIPPED = """
return [...document.querySelectorAll(".devices .wide, .log, .log td, .log th, .devices td")]
  .filter((cell) => cell.checkVisibility() && cell.clientWidth > 0
    && cell.scrollWidth > cell.clientWidth + 1)
  .map((cell) => cell.className + ": " + cell.innerText.slice(0, 60));
"""


class WireTests(PageTestCase):
    def open_bench(self):
        fob = self.start_set_up()
        self.page.find("heading", "Status")
        self.page.open("/bench")
        # The log begins when it is opened: not before it has a row, it has the next frame.
        self.page.find("row", re.compile("HEARTBEAT"))
        return fob

    def test_every_frame_is_told_field_by_field(self):
        """A press comes as EVENT and goes as EVENT_ACK; opened, a frame shows fields and bytes."""
        fob = self.open_bench()
        event = fob.control(do="press")["event"]
        self.page.find("row", re.compile(rf"to host.*EVENT\b.*event_no {event} kind pressed", re.S))
        self.page.find("row", re.compile(rf"to device.*EVENT_ACK.*event_no {event}", re.S))
        self.page.choose("Type", "EVENT")
        self.page.press("EVENT")
        self.page.find("row", re.compile(rf"^device_id {DEVICE}"))
        self.page.find("row", re.compile(r"^crc_ok true"))
        self.page.says(re.compile(r"\d+ bytes: [0-9a-f]{2} "))

    def test_the_log_is_sifted(self):
        """By device, direction, type and text; what does not fit is not there."""
        fob = self.open_bench()
        fob.control(do="press")
        self.page.find("row", re.compile("EVENT_ACK"))
        self.page.choose("Direction", "to device")
        self.page.lacks("row", re.compile("to host"))
        self.page.find("row", re.compile("EVENT_ACK"))
        self.page.choose("Direction", "Both ways")
        self.page.write("Text", "kind pressed")
        self.page.lacks("row", re.compile("EVENT_ACK"))
        self.page.find("row", re.compile("kind pressed"))
        self.page.write("Text", "x" + Keys.BACKSPACE)
        self.page.press(re.compile(f"^{DEVICE}: show only this device"))
        chosen = self.page.find("combobox", "Device")
        self.assertEqual(chosen.get_attribute("value"), DEVICE)
        link = self.page.find("link", re.compile("^Download capture"))
        self.assertTrue(link.get_attribute("href").endswith(f"/v1/bench/capture?device={DEVICE}"))

    def test_the_log_stands_still_while_it_is_paused(self):
        """What comes meanwhile is counted, and is there afterwards."""
        fob = self.open_bench()
        self.page.find("row", re.compile("HEARTBEAT"))
        self.page.press("Pause")
        event = fob.control(do="press")["event"]
        self.page.find("button", re.compile(r"^Go on \([1-9]\d* new\)"))
        pressed = re.compile(rf"event_no {event} kind pressed")
        self.assertFalse(self.page.has("row", pressed))
        self.page.press(re.compile("^Go on"))
        self.page.find("row", pressed)
        self.page.press("Clear")
        self.page.lacks("row", pressed)

    def test_damage_is_marked(self):
        """A frame whose bits were turned over on the way is no frame, and says why."""
        fob = self.open_bench()
        self.page.find("row", re.compile("HEARTBEAT"))
        # The head, or the type where the frame has no 00 in front: neither becomes a delimiter.
        fob.control(do="fault", kind="flip", at=2, bit=3, to="host")
        self.page.find("row", re.compile("damaged.*wrong CRC", re.S))
        self.page.choose("Type", "damaged")
        self.page.lacks("row", re.compile("HEARTBEAT"))

    def test_frames_are_reached_by_keyboard(self):
        """One is a stop of the Tab key; the arrows go on, Enter opens."""
        self.open_bench()
        self.page.press("Fold routine frames", "checkbox")
        self.page.find("row", re.compile("HEARTBEAT"))
        self.page.press("Pause")
        self.page.find("link", re.compile("^Download capture")).send_keys(Keys.TAB)
        self.page.until(lambda: self.page.focused == "Wire log", "Tab does not lead to the log")
        self.page.type(Keys.TAB)
        self.page.until(lambda: re.fullmatch("[A-Z_]+", self.page.focused),
                        "Tab does not lead to a frame")
        self.page.type(Keys.ARROW_UP + Keys.ENTER)
        self.page.find("row", re.compile(r"^seq \d+"))

    def test_all_devices_are_seen_at_a_glance(self):
        """Link, battery, position, firmware and light of each; unplugged, it says why."""
        fob = self.open_bench()
        self.page.find("row", re.compile(
            rf"{DEVICE}.*emulated.*USB connected.*\d+\.\d+\.\d+.*87 ?%.*GPS.*Idle", re.S))
        fob.control(do="unplug")
        self.page.find("row", re.compile(rf"{DEVICE}.*cannot open", re.S))
        fob.control(do="replug")
        self.page.find("row", re.compile(rf"{DEVICE}.*USB connected", re.S))

    def test_an_open_alarm_is_told_on_the_bench(self):
        """The bench is not locked by an alarm, and leads to it."""
        fob = self.open_bench()
        fob.control(do="press")
        self.page.says("An alarm is open.")
        self.page.follow("Go to the alarm")
        self.page.find("heading", "We're alerted")

    def test_what_says_every_second_that_nothing_is_new_is_folded(self):
        """Frames of routine in a row are one row, which opens; unfolded, each has its own."""
        fob = self.open_bench()
        folded = re.compile(r"\d+ folded.*HEARTBEAT × [2-9]", re.S)
        self.page.find("row", folded)
        fob.control(do="press")
        self.page.find("row", re.compile("kind pressed"))
        self.assertFalse(self.page.has("row", re.compile("TRACE first")))
        # A row that takes frames all the time moves away below a slow finger.
        self.page.press("Pause")
        self.page.press(re.compile(r"^\d+ folded"))
        self.page.find("row", re.compile(r"to host.*HEARTBEAT.*uptime", re.S))
        self.page.press(re.compile("^Go on"))
        self.page.press("Fold routine frames", "checkbox")
        self.page.find("row", re.compile(r"TRACE\b.*first", re.S))
        self.page.lacks("row", re.compile("folded"))
        # Whoever looks for them has them.
        self.page.press("Fold routine frames", "checkbox")
        self.page.find("row", re.compile("folded"))
        self.page.choose("Type", "HEARTBEAT")
        self.page.lacks("row", re.compile("folded"))
        self.page.find("row", re.compile("HEARTBEAT"))

    def test_a_press_has_its_timeline_under_the_mouse(self):
        """Pointed at, or reached by the keyboard: each stage; Escape takes it away."""
        fob = self.open_bench()
        event = fob.control(do="press")["event"]
        row = self.page.find("row", re.compile(rf"EVENT\b.*event_no {event} kind pressed", re.S))
        self.page.point_at(row)
        said = re.compile(
            rf"Press {re.escape(event)}: [\d.]+ .?s until.*debounce.*wire.*durable", re.S)
        self.page.says(said)
        self.page.shoot("bench-press")
        self.page.type(Keys.ESCAPE)
        self.page.says_no_more(said)
        # Rows that come would move it away below a slow finger.
        self.page.press("Pause")
        row = self.page.find("row", re.compile(rf"EVENT\b.*event_no {event} kind pressed", re.S))
        self.page.click(row.find_element("tag name", "button"))
        self.page.says(said)

    def test_nothing_is_clipped_at_any_width(self):
        """Devices, wire log and latencies, from a telephone to a wall."""
        fob = self.open_bench()
        fob.control(do="press")
        self.page.find("row", re.compile("kind pressed"))
        for path in ("/bench", "/bench#/latency"):
            self.page.open(path)
            self.page.find("row")
            for width in (320, 390, 768, 1280, 1920):
                with self.subTest(path=path, width=width):
                    self.page.looks(width=width)
                    self.assertLessEqual(self.page.overflow, 0)
                    self.page.until(lambda: not self.driver.execute_script(CLIPPED),
                                    "something is clipped")
        self.page.looks()
