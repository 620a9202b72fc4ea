"""What results.py makes of rows: run by `make bench-check`."""

import contextlib
import io
import json
import os
import tempfile
import unittest

import results
from bars import BARS

RUN = "1234567, on a test"


def decode(peer, figure, marked=False):
    row = {"name": "decode + CRC, random", "unit": "ns", "ours": 30.0, "peerName": peer}
    if figure is not None:
        row["peer"] = figure
    if marked:
        row["bar"] = {"atMost": 1}
    return row


def of(name, rows):
    return [row for row in rows if row["name"] == name]


class Bars(unittest.TestCase):
    #: What the design holds fob to. A bar that is taken away or softened is to be seen here.
    DESIGN = {
        "decode + CRC, random": "≤ 0.75",
        "decode + CRC, 30 % zeros": "≤ 0.40",
        "NMEA sentence, all taken apart": "≤ 0.25",
        "NMEA sentence, position only": "≤ 0.25",
        "pty echo": "≤ 1.05",
        "t1→t3, median": "≤ 1.25",
        "t1→t3, p99": "≤ 1.25",
        "t1→t3 with the journal": "≤ 1.25",
        "t1→t4": "≤ 1.30",
        "durable event": "≤ 1.25",
        "check-ins, 10,000 series wait": "≤ 600,000 µs/min",
        "check-ins, 10,000 due at once, all asked": "≤ 200 ms",
        "check-in due → its light, p99": "≤ 50 ms",
        "t1→t3 while breathing runs, median": "≤ 1.02",
        "keychains of one core, memory:": "≥ 10,000",
        "keychains of one bridge, unix:": "≥ 1,000",
        "press→decided of 1,000, p99": "≤ 5.00",
        "state of one keychain": "≤ 4,096 B",
        "simulated device-seconds, quiet": "≥ 1,000,000 a second",
        "simulated device-seconds, 1 Hz GPS": "≥ 100,000 a second",
        "firmware, text": "≤ 24,576 B",
        "firmware, RAM": "≤ 6,144 B",
        "firmware, heap": "≤ 0 B",
        "EVENT sealed, Cortex-M3 at 50 MHz": "≤ 600 µs",
        "EVENT sealed, Cortex-M0 at 16 MHz": "≤ 4,000 µs",
        "fob run, exec to armed, median": "≤ 100 ms",
        "press on the page → LED on the page, median": "≤ 50 ms",
        "first view of the page complete, median": "≤ 300 ms",
        "weight of the page": "≤ 200 KB",
        "wrong accepts of 1- and 2-bit errors": "≤ 0",
        "presses lost or doubled in 1,000,000 schedules": "≤ 0",
    }

    def test_every_bar_of_the_design_is_there(self):
        self.assertEqual({bar.name: bar.text for bar in BARS}, self.DESIGN)

    def test_a_bar_holds_the_row_that_stands_for_it(self):
        for bar in BARS:
            self.assertTrue(bar.holds({"name": bar.name}), bar.name)


class Collected(unittest.TestCase):
    def test_where_nothing_ran_every_bar_is_not_measured(self):
        rows = results.collected({})
        self.assertEqual([row["name"] for row in rows], [bar.name for bar in BARS])
        self.assertEqual({row["met"] for row in rows}, {"not measured"})

    def test_a_missing_peer_is_not_measured_and_never_met(self):
        for bar in (bar for bar in BARS if bar.on_ratio):
            lonely = {"name": bar.name, "unit": bar.unit, "ours": 0.0, "peerName": bar.peer}
            for peer in {}, {"peer": None}, {"peer": 0}:
                rows = results.collected({bar.part: ([lonely | peer], RUN)})
                self.assertEqual([row["met"] for row in of(bar.name, rows)], ["not measured"])

    def test_a_part_that_failed_leaves_its_bars_not_measured(self):
        rows = results.collected({"firmware": ([], RUN)})
        self.assertEqual(of("firmware, text", rows)[0]["met"], "not measured")

    def test_the_fastest_peer_counts(self):
        slow, fast = decode("nanocobs", 60.0), decode("cobs-c", 35.0)
        for peers in [slow, fast], [fast, slow]:
            rows = of("decode + CRC, random", results.collected({"codec": (peers, RUN)}))
            met = {row["peer"]: row["met"] for row in rows}
            self.assertEqual(met, {"nanocobs": None, "cobs-c": False})

    def test_a_peer_that_the_program_marks_counts_before_a_faster_one(self):
        peers = [decode("fob-c", 20.0), decode("cobs-c", 50.0, marked=True)]
        rows = of("decode + CRC, random", results.collected({"codec": (peers, RUN)}))
        met = {row["peer"]: row["met"] for row in rows}
        self.assertEqual(met, {"fob-c": None, "cobs-c": True})

    def test_a_bar_is_met_at_its_limit_and_missed_beyond(self):
        for ours, met in (0, True), (24_576, True), (24_577, False):
            text = {"name": "firmware, text", "unit": "B", "ours": ours}
            rows = results.collected({"firmware": ([text], RUN)})
            self.assertIs(of("firmware, text", rows)[0]["met"], met)
        for ours, met in (10_000, True), (9_999, False):
            name = "keychains of one core, memory:"
            rows = results.collected({"load": ([{"name": name, "unit": "", "ours": ours}], RUN)})
            self.assertIs(of(name, rows)[0]["met"], met)

    def test_rows_without_a_bar_stand_beside(self):
        beside = {"name": "accept, median", "unit": "µs", "ours": 2.0, "peer": 1.0, "peerName": "x"}
        row = of("accept, median", results.collected({"accept": ([beside], RUN)}))[0]
        self.assertEqual((row["ratio"], row["bar"], row["met"]), (2.0, None, None))
        self.assertEqual(row["command"], 'make bench PARTS="accept"')


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.readme = self.write("README.md", f"before\n{results.BEGIN}\n{results.END}\nbehind\n")

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def collect(self):
        path = os.path.join(self.folder, "results")
        with contextlib.redirect_stdout(io.StringIO()):
            results.collect(self.folder, path, self.readme)
        with open(path, encoding="utf-8") as file, open(self.readme, encoding="utf-8") as readme:
            return json.load(file), readme.read()

    def test_parts_become_a_list_and_a_table(self):
        self.write("codec.json", json.dumps({"1 codec": [decode("cobs-c", 60.0)]}))
        self.write("codec.run", RUN)
        rows, readme = self.collect()
        row = of("decode + CRC, random", rows)[0]
        keys = {"name", "ours", "peer", "peersFigure", "unit", "ratio", "bar", "met", "command"}
        self.assertEqual(set(row), keys | {"run"})
        self.assertEqual((row["ratio"], row["met"], row["run"]), (0.5, True, RUN))
        self.assertTrue(readme.startswith("before\n") and readme.endswith("\nbehind\n"))
        self.assertIn(f"- codec: {RUN}", readme)
        self.assertEqual(results.offences(readme), [])

    def test_rows_that_do_not_say_where_they_were_measured_do_not_count(self):
        self.write("codec.json", json.dumps({"1 codec": [decode("cobs-c", 60.0)]}))
        self.assertEqual({row["met"] for row in self.collect()[0]}, {"not measured"})

    def test_a_table_that_claims_too_much_or_lacks_a_bar_is_found(self):
        readme = self.collect()[1]
        self.assertEqual(results.offences(readme), [])
        claimed = readme.replace("not measured", "yes         ")
        self.assertEqual(len(results.offences(claimed)), len(BARS))
        lines = readme.splitlines()
        short = "\n".join(line for line in lines if "pty echo" not in line)
        self.assertEqual(len(results.offences(short)), 1)
        with self.assertRaises(ValueError):
            results.offences(readme.replace(results.END, ""))


if __name__ == "__main__":
    unittest.main()
