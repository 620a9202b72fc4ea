"""`fob run` in a terminal: what its view shows, and that the terminal is as it was, however it
ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import unittest
from pathlib import Path

from terminal import COLOUR, FOB, Terminal, TerminalTestCase


class ViewTests(TerminalTestCase):
    def test_a_press_is_followed_to_the_screen(self) -> None:
        terminal = self.run_fob()
        terminal.until_text("link     up, keychain 8000000000000001")
        self.assertTrue(terminal.is_view)
        self.assertTrue(terminal.screen.cursor.hidden)
        terminal.until_text("NO ALARM")
        terminal.until_text("light    idle: 1 flash in 5.000 s")
        terminal.until_text("battery  87 %")
        terminal.until_text("fix      good, 51.47780, -0.00150")
        terminal.until_text("HEARTBEAT")
        self.assertIn("press    none since the start", terminal.text)
        self.assertIn("told     nobody since the start", terminal.text)
        self.assertIn("Ctrl-C ends", terminal.text)
        terminal.type(" ")
        terminal.until_text("ALARM, SENT")
        terminal.until_text("light    accepted: received, nobody has acknowledged")
        terminal.until_text("ms until the light said so")
        terminal.until_text("told     Contact 1: received")
        terminal.until_text("Contact 2: received")
        terminal.type("a")
        terminal.until_text("ALARM, ACKNOWLEDGED  in hand: Contact 1")
        self.assert_rows_fit(terminal, 80, 24)

        terminal.resize(30, 8)
        terminal.until("the small view", lambda: terminal.rows[0].startswith("  ALARM, ACK"))
        terminal.until("its keys", lambda: terminal.rows[7].startswith("  space press"))
        self.assertIn("…", terminal.text)
        terminal.type("?")
        terminal.until("a row that says that there is more", lambda: terminal.rows[7] == "  …")
        terminal.resize(60, 12)
        terminal.until_text("r resume")
        terminal.type("s")
        terminal.until_text("link")
        terminal.type("\x03")
        self.assertEqual(terminal.ended(), 0)
        self.assert_restored(terminal)
        self.assertIn("1 alarm since the start", terminal.text.replace("\n", ""))

    def test_the_pin_ends_the_alarm_and_is_not_shown(self) -> None:
        path = self.folder / "pin"
        path.write_text("1234\n")
        path.chmod(0o600)
        terminal = self.run_fob("--pin-file", str(path))
        terminal.until_text("link     up")
        terminal.type(" ")
        terminal.until_text("ALARM, SENT")
        terminal.type("p12")
        terminal.until_text("PIN: **__")
        terminal.type("34")
        terminal.until_text("ALARM ENDED")
        terminal.type("r")
        terminal.until_text("NO ALARM")
        terminal.type("\x04")
        self.assertEqual(terminal.ended(), 0)
        self.assert_restored(terminal)
        self.assertNotIn(b"1234", terminal.written)

    def test_the_view_and_its_keys_are_of_the_account_that_has_the_keychain(self) -> None:
        path = self.folder / "pin"
        path.write_text("1234\n")
        path.chmod(0o600)
        terminal = self.run_fob("--owners", "each", "--pin-file", str(path))
        terminal.until_text("account  2, Owner of 8000000000000001")
        terminal.type(" ")
        terminal.until_text("ALARM, SENT")
        terminal.until_text("told     Contact of 8000000000000001: received")
        terminal.type("a")
        terminal.until_text("ALARM, ACKNOWLEDGED  in hand: Contact of 8000000000000001")
        terminal.type("p1234")
        terminal.until_text("ALARM ENDED")
        terminal.type("r")
        terminal.until_text("NO ALARM")
        terminal.type("\x03")
        self.assertEqual(terminal.ended(), 0)
        self.assertIn("1 alarm since the start", terminal.text.replace("\n", ""))

    def test_without_colour_nothing_is_coloured(self) -> None:
        terminal = self.run_fob(NO_COLOR="1")
        terminal.until_text("link     up")
        terminal.type("\x03")
        self.assertEqual(terminal.ended(), 0)
        self.assertEqual(COLOUR.findall(terminal.written), [])
        coloured = self.run_fob("--state", str(self.folder / "other"))
        coloured.until_text("link     up")
        self.assertNotEqual(COLOUR.findall(coloured.written), [])

    def test_words_of_an_account_are_written_out_and_fit(self) -> None:
        terminal = self.run_fob("--place", "日本\x1b]0;title\x07\u202e=51.4778,-0.0015", columns=60)
        terminal.until_text("link     up")
        terminal.type(" ")
        terminal.until_text("ALARM, SENT")
        terminal.until_text("Contact 2")
        terminal.type("\x03")
        self.assertEqual(terminal.ended(), 0)
        self.assertNotIn(b"\x1b]", terminal.written)
        self.assertNotIn("\u202e".encode(), terminal.written)
        self.assert_rows_fit(terminal, 60, 24)

    def test_what_was_printed_before_the_view_is_not_in_it(self) -> None:
        """A terminal that is slow to take the first lines takes them before the view."""
        terminal = self.terminal(FOB, "run", "--listen", "127.0.0.1:0")
        terminal.type("\x13")
        self.until_file("the view", lambda: "screen" in self.threads(terminal))
        terminal.type("\x11")
        terminal.until_text("link     up")
        terminal.type("\x03")
        self.assertEqual(terminal.ended(), 0)
        view = terminal.written.split(b"\x1b[?1049h")[1].split(b"\x1b[?1049l")[0]
        self.assertNotIn(b"\n", view)

    def threads(self, terminal: Terminal) -> list[str]:
        names = []
        for thread in Path(f"/proc/{terminal.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                names.append(thread.joinpath("comm").read_text().strip())
        return names

    def test_a_quiet_screen_is_left_alone(self) -> None:
        """Of a keychain that only says that it is there, the frames change and no other row."""
        terminal = self.run_fob()
        terminal.until_text("link     up")
        terminal.until_text("fix      good")
        for _ in range(3):
            beats = terminal.written.count(b"HEARTBEAT")
            terminal.until("a heartbeat", lambda: terminal.written.count(b"HEARTBEAT") > beats)
        began = len(terminal.written)
        beats = terminal.written.count(b"HEARTBEAT")
        terminal.until("more", lambda: terminal.written.count(b"HEARTBEAT") > beats + 3)
        quiet = terminal.written[began:]
        self.assertNotIn(b"NO ALARM", quiet)
        self.assertNotIn(b"battery ", quiet)
        self.assertNotIn(b"\x1b[2J", quiet)


class EndTests(TerminalTestCase):
    def test_signals_and_crashes_give_the_terminal_back(self) -> None:
        for number, status in [
                (signal.SIGTERM, 0), (signal.SIGABRT, -signal.SIGABRT),
                (signal.SIGSEGV, -signal.SIGSEGV), (signal.SIGQUIT, -signal.SIGQUIT)]:
            with self.subTest(number):
                terminal = self.run_fob("--state", str(self.folder / str(number)))
                terminal.until_text("link     up")
                os.kill(terminal.process.pid, number)
                self.assertEqual(terminal.ended(), status)
                self.assert_restored(terminal)

    def test_a_quit_that_is_ignored_changes_nothing(self) -> None:
        """As whoever started it wants it; the view stays, and goes on."""
        terminal = self.terminal(
            "sh", "-c", """trap '' QUIT; exec "$0" run --listen 127.0.0.1:0""", FOB)
        terminal.until_text("link     up")
        os.kill(terminal.process.pid, signal.SIGQUIT)
        beats = terminal.written.count(b"HEARTBEAT")
        terminal.until("a heartbeat", lambda: terminal.written.count(b"HEARTBEAT") > beats)
        self.assertTrue(terminal.is_view)
        os.kill(terminal.process.pid, signal.SIGTERM)
        self.assertEqual(terminal.ended(), 0)
        self.assert_restored(terminal)

    def test_a_terminal_that_is_stopped_delays_no_alarm_and_no_end(self) -> None:
        terminal = self.run_fob("--state", str(self.folder / "held"))
        terminal.until_text("link     up")
        alerts = self.folder / "held/alerts.jsonl"
        terminal.type("\x13 ")
        terminal.until("the messages", lambda: alerts.read_text().count("contact-") >= 2)
        self.assertNotIn("ALARM, SENT", terminal.text)
        terminal.type("\x11")
        terminal.until_text("ALARM, SENT")
        terminal.type("\x13")
        terminal.type("b")
        os.kill(terminal.process.pid, signal.SIGTERM)
        self.assertEqual(terminal.ended(), 0)
        self.assert_restored(terminal)

    def test_plain_lines_that_nobody_reads_delay_no_alarm_and_no_end(self) -> None:
        terminal = self.run_fob("--plain", "--state", str(self.folder / "held"))
        terminal.until_text("Ctrl-C ends")
        terminal.until_text("linked")
        terminal.type("\x13 ")
        alerts = self.folder / "held/alerts.jsonl"
        terminal.until("the messages", lambda: alerts.read_text().count("contact-") >= 2)
        self.assertNotIn("EMERGENCY_SENT", terminal.text)
        os.kill(terminal.process.pid, signal.SIGTERM)
        self.assertEqual(terminal.ended(), 0)

    def test_a_full_pipe_delays_no_alarm_and_no_end(self) -> None:
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 512)
        except BlockingIOError:
            os.set_blocking(writer, True)
        environment = {**os.environ, "XDG_RUNTIME_DIR": str(self.folder)}
        state, link = self.folder / "state", self.folder / "keychain"
        keychain = subprocess.Popen(
            [FOB, "emulate", "--link", str(link)], env=environment, stdout=writer)
        self.addCleanup(keychain.wait)
        self.addCleanup(keychain.terminate)
        bridge = subprocess.Popen(
            [FOB, "bridge", "--json", "--device", f"pty:{link}", "--state", str(state)],
            env=environment, stdout=writer)
        os.close(writer)
        self.addCleanup(bridge.wait)
        self.addCleanup(bridge.kill)
        for words in [["wait", "ready"], ["wait", "linked"], ["press"], 
                      ["wait", "acked", "--event", "1.2"]]:
            subprocess.run([FOB, "ctl", *words], env=environment, check=True, timeout=60,
                           stdout=subprocess.DEVNULL)
        alerts = state / "alerts.jsonl"
        self.until_file("the messages", lambda: alerts.read_text().count("contact-") >= 2)
        bridge.terminate()
        self.assertEqual(bridge.wait(60), 0)

    def test_a_job_that_runs_already_has_its_keys_again_after_fg(self) -> None:
        terminal = self.terminal(
            "/bin/bash", "--norc", "--noprofile", "-i", rows=40, PS1="ready> ")
        terminal.until_text("ready>")
        terminal.type(f"{FOB} run --listen 127.0.0.1:0\n")
        terminal.until_text("link     up")
        terminal.type("\x1a")
        terminal.until_text("Stopped")
        terminal.type("bg\n")
        terminal.until_text("&")
        terminal.type("fg\n")
        terminal.until("the view", lambda: terminal.is_view and "link     up" in terminal.text)
        terminal.type(" ")
        terminal.until_text("ALARM, SENT")
        terminal.type("\x03")
        terminal.until_text("since the start")
        terminal.type("exit\n")
        terminal.ended()

    def test_space_is_the_button_whatever_is_asked_for(self) -> None:
        terminal = self.run_fob()
        terminal.until_text("link     up")
        terminal.type("p1")
        terminal.until_text("PIN: *___")
        terminal.type(" ")
        terminal.until_text("ALARM, SENT")

    def test_ctrl_z_gives_the_shell_its_terminal_and_fg_takes_it_again(self) -> None:
        terminal = self.terminal(
            "/bin/bash", "--norc", "--noprofile", "-i", rows=40, PS1="ready> ")
        terminal.until_text("ready>")
        terminal.type(f"{FOB} run --listen 127.0.0.1:0\n")
        terminal.until_text("link     up")
        terminal.type("\x1a")
        terminal.until_text("Stopped")
        self.assertFalse(terminal.is_view)
        self.assertFalse(terminal.screen.cursor.hidden)
        terminal.type("echo the shell $((40 + 2))\n")
        terminal.until_text("the shell 42")
        terminal.type("fg\n")
        terminal.until("the view", lambda: terminal.is_view and "link     up" in terminal.text)
        terminal.type(" ")
        terminal.until_text("ALARM, SENT")
        terminal.type("\x03")
        terminal.until_text("since the start")
        self.assertFalse(terminal.is_view)
        terminal.type("exit\n")
        terminal.ended()


class PlainTests(TerminalTestCase):
    def test_plain_lines_where_they_are_asked_for_or_no_view_can_be(self) -> None:
        for arguments, environment in [(["--plain"], {}), ([], {"TERM": "dumb"})]:
            with self.subTest(environment):
                folder = str(self.folder / f"state-{len(arguments)}")
                terminal = self.run_fob(
                    *arguments, "--state", folder, NO_COLOR="1", columns=200, rows=60,
                    **environment)
                terminal.until_text("keychain 8000000000000001 linked")
                terminal.until_text("space press")
                terminal.type(" ")
                terminal.until_text("EMERGENCY_SENT")
                terminal.type("\x03")
                self.assertEqual(terminal.ended(), 0)
                self.assertNotIn(b"\x1b", terminal.written)
                self.assert_restored(terminal)

    def test_the_demo_is_lines(self) -> None:
        terminal = self.terminal(FOB, "run", "--demo", columns=200, rows=60)
        self.assertEqual(terminal.ended(), 0)
        self.assertIn("all clear", terminal.text)
        self.assertNotIn(b"\x1b[?1049h", terminal.written)


if __name__ == "__main__":
    unittest.main()
