"""What commands.py reads of what fob's commands print: run by `make bench-check`."""

import json
import unittest
from unittest import mock

import commands
from bars import BARS

FIRMWARE = """a.elf
text (code, constants)      22816 bytes, budget 24576
RAM                          5544 bytes, budget 6144
  stack                      1536 bytes
  heap                          0 bytes
"""
COUNTED = """GSV 2151.5
EVENT, instructions from payload to wire:
  not paired 3000.0
  paired 11000.0
MERGED, the same:
  not paired 4000.0
  paired 19000.0
"""
QUIET = """quiet: 1 keychain, 1 host, 744,000 device-s in 2.2 s of one processor, \
334,822 device-s/s, {} violations
"""
BITS = "a: 4656 errors, 0 wrongly accepted\nb: 12000 errors, {} wrongly accepted\n"
SEARCH = "{} schedules, 40,419 device-s in 0.6 s (2 cores), 3 violations, 12 excused\n"
STATE = "Keychain: 3938 bytes\n"


def step(keychains, p99=None):
    return ({"pressToDecided": {"p99": p99}} if p99 else {}) | {"keychains": keychains}


class Commands(unittest.TestCase):
    def rows(self, part, *printed):
        with mock.patch.object(commands, "output", side_effect=printed):
            return commands.FIGURES[part]("fob")

    def figures(self, part, *printed):
        return [row["ours"] for row in self.rows(part, *printed)]

    def test_each_part_has_rows_for_all_of_its_bars(self):
        load = json.dumps({"carried": 10_000, "steps": [step(10_000, 2)]})
        both = json.dumps({"carried": 1_000, "steps": [step(1, 20), step(1_000, 60)]})
        start = json.dumps({"armed": {"median": 90_000, "p99": 110_000, "max": 120_000}})
        printed = {
            "firmware": [FIRMWARE],
            "seal": [COUNTED, COUNTED],
            "simulate": [QUIET.format(0), QUIET.format(0)],
            "bit-errors": [BITS.format(0)],
            "schedules": [SEARCH.format("1,000,000")],
            "start": [start],
            "load": [load, both, STATE],
        }
        self.assertEqual(set(printed), set(commands.FIGURES))
        for part, texts in printed.items():
            rows = self.rows(part, *texts)
            for bar in (bar for bar in BARS if bar.part == part):
                self.assertTrue(any(bar.holds(row) for row in rows), bar.name)

    def test_figures_are_those_that_were_printed(self):
        self.assertEqual(self.figures("firmware", FIRMWARE), [22_816, 5_544, 0])
        self.assertEqual(self.figures("seal", COUNTED, COUNTED), [320, 1_000])
        self.assertEqual(self.figures("simulate", *[QUIET.format(0)] * 2), [334_822, 334_822])
        self.assertEqual(self.figures("bit-errors", BITS.format(2)), [2])
        self.assertEqual(self.figures("schedules", SEARCH.format("1,000,000")), [3])

    def test_a_bridge_that_lost_presses_carries_none(self):
        crowd = json.dumps({"steps": [step(10_000)]})
        bridge = json.dumps({"carried": 1, "steps": [step(1, 20), step(1_000)]})
        self.assertEqual(self.figures("load", crowd, bridge, STATE), [0, 1, 3_938])

    def test_the_p99_of_many_is_compared_by_the_median_of_rounds(self):
        steps = [step(1, p) for p in (10, 20, 90)] + [step(1_000, p) for p in (70, 40, 50)]
        crowd = json.dumps({"carried": 10_000, "steps": [step(10_000, 2)]})
        bridge = json.dumps({"carried": 1_000, "steps": steps})
        rows = self.rows("load", crowd, bridge, STATE)
        late = next(row for row in rows if row["name"] == "press→decided of 1,000, p99")
        self.assertEqual((late["ours"], late["peer"]), (50, 20))

    def test_what_is_short_or_broken_or_says_nothing_has_no_figure(self):
        for part, printed in (
            ("schedules", [SEARCH.format("200")]),
            ("simulate", [QUIET.format(1)]),
            ("bit-errors", ["Test run with 0 tests\n"]),
            ("firmware", ["error: no such module\n"]),
            ("seal", [COUNTED.replace("EVENT", "CONFIG")]),
            ("start", ["Error: unknown option\n"]),
        ):
            with self.assertRaises((ValueError, LookupError)):
                self.rows(part, *printed)

    def test_a_command_that_fails_has_no_output(self):
        with self.assertRaises(ChildProcessError):
            commands.output(["false"])
        self.assertEqual(commands.output(["false"], accepted=(1,)), "")


if __name__ == "__main__":
    unittest.main()
