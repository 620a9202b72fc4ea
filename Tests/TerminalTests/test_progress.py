"""Long work shows how far it is where standard error is a terminal, and nothing elsewhere."""

from __future__ import annotations

import re
import subprocess
import time
import unittest

from terminal import FOB, TerminalTestCase

TAKEN_AWAY = b"\r\x1b[K"


class ProgressTests(TerminalTestCase):
    def test_a_search_shows_done_rate_and_time_left(self) -> None:
        terminal = self.terminal(
            FOB, "simulate", "--seeds", "1..400", output=self.folder / "output")
        terminal.until("a rate", lambda: re.search(
            r"\d+ of 400 schedules \(\d+ %\), [\d.,]+/(s|min), \d+ (s|min) left", terminal.text)
            is not None)
        self.assertEqual(len([row for row in terminal.rows if "schedules" in row]), 1)
        terminal.type("\x03")
        self.assertEqual(terminal.ended(), 0)
        self.assertEqual([row for row in terminal.rows if row not in ("", "^C")], [])
        self.assertIn("schedules", (self.folder / "output").read_text())

    def test_rows_come_at_most_four_times_a_second_and_fit(self) -> None:
        began = time.monotonic()
        terminal = self.terminal(
            FOB, "simulate", "--seconds", "2", columns=24, output=self.folder / "output")
        self.assertEqual(terminal.ended(), 0)
        most = 4 * (time.monotonic() - began) + 1
        rows = [row for row in terminal.written.split(TAKEN_AWAY) if row]
        self.assertTrue(2 <= len(rows) <= most, rows)
        self.assertTrue(all(len(row.decode()) < 24 for row in rows), rows)
        self.assertEqual(terminal.text.strip(), "")

    def test_lines_and_progress_stand_on_rows_of_their_own(self) -> None:
        terminal = self.terminal(FOB, "conform", "memory:", columns=120, rows=60)
        self.assertEqual(terminal.ended(), 0)
        self.assertIn(b" cases (", terminal.written)
        self.assertNotIn(" cases (", terminal.text)
        for row in terminal.rows:
            self.assertFalse(" cases (" in row, row)

    def test_nothing_is_shown_where_nobody_looks(self) -> None:
        for command in [["simulate", "--seconds", "1"], ["conform", "memory:"],
                        ["bench", "start", "--runs", "2"]]:
            ended = subprocess.run(
                [FOB, *command], stdin=subprocess.DEVNULL, capture_output=True, check=True,
                timeout=120)
            # A search of ten seconds writes a line.
            self.assertNotIn(b"\r", ended.stderr, command)
            self.assertNotIn(b"\x1b", ended.stderr + ended.stdout)


class LiveTests(TerminalTestCase):
    RUN = [FOB, "bench", "latency", "--live", "--warm-up", "0.5", "--max-pacing-error", "1000000"]

    def test_the_distribution_so_far_is_drawn_in_place(self) -> None:
        terminal = self.terminal(*self.RUN, "--duration", "4", columns=200, rows=60)
        terminal.until_text("press → light ")
        for head in ["median", "p90", "p99", "max"]:
            self.assertIn(head, terminal.text)
        terminal.until_text("█")
        heads = [row for row in terminal.rows if " presses" in row and " of " in row]
        self.assertEqual(len(heads), 1, terminal.text)
        self.assertEqual(terminal.ended(), 0)
        self.assertIn("Latency of emulated keychains", terminal.text)
        self.assertNotIn("█", terminal.text)

    def test_a_small_terminal_has_its_first_rows(self) -> None:
        terminal = self.terminal(*self.RUN, "--duration", "3", columns=30, rows=6)
        terminal.until_text("debounce")
        self.assertEqual(terminal.ended(), 0)
        self.assertNotIn(b"\x1b[6A", terminal.written)

    def test_piped_lines_come_every_ten_seconds(self) -> None:
        ended = subprocess.run(
            [*self.RUN, "--duration", "11"], stdin=subprocess.DEVNULL, capture_output=True,
            text=True, check=True, timeout=120)
        self.assertRegex(ended.stdout, r"10 of 1[12] s: \d+ presses")
        self.assertEqual(ended.stdout.count("stage, ms"), 1)
        self.assertEqual(ended.stderr, "")
        self.assertNotIn("\x1b", ended.stdout)


if __name__ == "__main__":
    unittest.main()
