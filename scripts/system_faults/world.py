"""A keychain, a bridge with its core, and somebody who is told: real processes in a folder."""

import json
import mmap
import os
import pathlib
import re
import shutil
import signal
import struct
import tempfile
import threading
import time

from fob_rig import PATIENCE, Lines, started

PIN = "2468"
# Rows of a world are asked for in every round: a new one begins before they fill a page.
ALARMS_OF_A_WORLD = 60


class Trouble(Exception):
    """What may not be: lost, doubled, hung, untold or unclear."""

    def __init__(self, kind, words):
        super().__init__(words)
        self.kind = kind


class Receiver:
    """The other end of the log sink: a pipe, so that what was told was heard outside."""

    # Who are told of each alarm.
    EVERYONE = {"contact-1", "contact-2"}

    def __init__(self, path):
        self.messages = []
        self.news = threading.Condition()
        self.open(path)
        threading.Thread(target=self.listen, daemon=True).start()

    def open(self, path):
        os.mkfifo(path, 0o600)
        # Open for both, it has no end when fob dies.
        self.pipe = os.open(path, os.O_RDWR)

    def listen(self):
        with os.fdopen(self.pipe, "rb") as lines:
            for line in lines:
                self.hear(json.loads(line))
                if line == b"{}\n":
                    return

    def hear(self, message):
        with self.news:
            self.messages.append(message)
            self.news.notify_all()

    def close(self):
        os.write(self.pipe, b"{}\n")

    def told(self, incident, kind):
        """Which of them were told so of that incident."""
        return {message["contact"]["id"] for message in self.messages
                if message.get("incident") == incident and message["kind"] == kind}

    def wait(self, incident, kind):
        with self.news:
            if not self.news.wait_for(lambda: self.told(incident, kind) >= self.EVERYONE, PATIENCE):
                raise Trouble("untold", f"{kind} of {incident} was told to "
                              f"{self.told(incident, kind) or 'nobody'} within {PATIENCE} s")

    def doubled(self):
        """Messages that came again under another key: a receiver cannot tell them from news."""
        keys = {}
        for message in self.messages:
            if "key" in message:
                of = message["incident"], message["contact"]["id"], message["sequence"]
                keys.setdefault(of, set()).add(message["key"])
        return {of: found for of, found in keys.items() if len(found) > 1}


class World:
    """Who decides, stores and tells is its `core`: here the bridge, which has one.

    - base: where its folder is. listen: it serves the API.
    - user: whose processes they are, by number; for root alone."""

    RECEIVER = Receiver
    # Which file each opens first of those that matter.
    FIRST_FILES = {"keychain": "/store", "bridge": "state/lock"}

    def __init__(self, fob, shim, base=None, listen=False, user=None):
        self.fob, self.listen, self.user = fob, listen, user
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="fob-", dir=base))
        (self.folder / "pin").write_text(PIN + "\n")
        (self.folder / "pin").chmod(0o600)
        shared = self.folder / "faults"
        shared.write_bytes(bytes(128))
        with shared.open("r+b") as file:
            self.faults = mmap.mmap(file.fileno(), 128)
        self.environment = {
            **os.environ, "XDG_RUNTIME_DIR": str(self.folder), "NO_COLOR": "1", "HOME": "/",
            "LD_PRELOAD": str(shim), "FOB_FAULTS": str(shared)}
        self.log, self.keychain_log = self.folder / "bridge.log", self.folder / "keychain.log"
        self.receiver = self.RECEIVER(self.folder / "told")
        # Presses by the alarm that they belong to.
        self.alarms = []
        self.keychain = self.core = self.to_keychain = self.to_core = None
        if user is not None:
            for path in (self.folder, *self.folder.iterdir()):
                os.chown(path, user, user)
        try:
            self.start_all()
        except BaseException:
            self.close()
            raise

    # Processes

    @property
    def processes(self):
        return {"keychain": self.keychain, "bridge": self.core}

    def start_all(self):
        self.start_keychain()
        self.start_core()

    def start(self, words, log, through=()):
        return started([self.fob, *words], log, [*self.become, *through], self.environment)

    @property
    def become(self):
        """Words that make a program one of this user."""
        return [] if self.user is None else [
            "setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", "--"]

    def start_keychain(self, through=(), may_end=False):
        self.keychain = self.start(
            ["emulate", "--link", self.folder / "line", "--store", self.folder / "store",
             "--control", self.folder / "keychain.sock", "--no-gps"], self.keychain_log, through)
        self.to_keychain = self.connected(
            self.keychain, "keychain.sock", self.keychain_log, may_end)

    def start_core(self, through=(), may_end=False):
        words = ["bridge", "--device", f"pty:{self.folder}/line", "--state", self.folder / "state",
                 "--control", self.folder / "bridge.sock", "--log", self.folder / "told",
                 "--pin-file", self.folder / "pin"]
        if self.listen:
            words += ["--listen", "127.0.0.1:0"]
        self.core = self.start(words, self.log, through)
        self.to_core = self.connected(self.core, "bridge.sock", self.log, may_end)

    def connected(self, process, socket, log, may_end):
        """Nobody, where it has ended."""
        try:
            if process.poll() is None:
                return Lines(self.folder / socket)
        except OSError:
            # It was ready, and dies.
            process.wait(PATIENCE)
        if not may_end:
            raise Trouble("hung", f"fob does not start:\n{self.tail(log)}")
        return None

    def await_linked(self):
        self.ask_keychain("wait", **{"for": "linked", "within_ms": PATIENCE * 1000})

    @property
    def port(self):
        """Of the API."""
        return int(re.findall(r"the API is at http://127.0.0.1:(\d+)", self.log.read_text())[-1])

    @property
    def lives(self):
        """All that brings a press to people."""
        return self.core.poll() is None

    def start_again(self, who, through=(), may_end=False):
        """After it has died. Returns its process."""
        self.processes[who].wait(PATIENCE)
        if who == "keychain":
            self.leave(self.to_keychain)
            self.start_keychain(through, may_end)
        else:
            self.leave(self.to_core)
            self.start_core(through, may_end)
        return self.processes[who]

    def core_again(self):
        self.start_again("bridge")

    @staticmethod
    def leave(lines):
        if lines:
            lines.close()

    def close(self):
        # The keychain last, whose link leads nowhere without it.
        for process in reversed(self.processes.values()):
            if process and process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()
        for lines in (self.to_core, self.to_keychain):
            self.leave(lines)
        self.receiver.close()
        self.faults.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def tail(log, lines=12):
        return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])

    # Asking

    @staticmethod
    def asked(lines, do, **fields):
        """None where nobody is there any more."""
        if not lines:
            return None
        try:
            lines.begin(do, **fields)
            return lines.answer()
        except TimeoutError:
            raise Trouble("hung", f"{do} is not answered within {PATIENCE} s") from None
        except ConnectionError:
            return None

    def ask_keychain(self, do, **fields):
        answer = self.asked(self.to_keychain, do, **fields)
        if not answer or not answer["ok"]:
            raise Trouble("hung", f"the keychain answers {do} {fields} by {answer}")
        return answer

    def ask_core(self, do, **fields):
        answer = self.asked(self.to_core, do, **fields)
        if not answer or not answer["ok"]:
            raise Trouble("hung", f"the core answers {do} by {answer}")
        return answer

    @property
    def status(self):
        return self.ask_core("status")["status"]

    @property
    def state(self):
        return self.status["state"]

    def until(self, condition, words, kind="hung"):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise Trouble(kind, f"{words}, not within {PATIENCE} s")
            time.sleep(0.002)

    # A round

    def press(self, joins=False):
        """The number of the press that the firmware has stored.

        - joins: it belongs to the alarm that is open."""
        event = self.ask_keychain("press", hold_ms=30)["event"]
        self.expect(event, joins)
        return event

    def expect(self, event, joins=False):
        if joins:
            self.alarms[-1].append(event)
        else:
            self.alarms.append([event])

    def settle(self):
        """Until the light says that people were told, or the bridge has died. The bridge is not
        asked, so that its calls are those of the alarm."""
        self.until(lambda: not self.lives or self.ask_keychain("state")["shown"] == "accepted",
                   "the light never says that people were told")

    def verify(self, event):
        """That press is one entry, of one incident, that people were told of."""
        self.until(lambda: self.ask_keychain("state")["unacked"] == 0, "events stay unacked")
        self.verify_rows()
        incident = self.row(event)["incident"]
        self.receiver.wait(incident, "raise")
        self.until(lambda: self.state == "EMERGENCY_SENT", "what was told is never accepted")
        return incident

    def rows(self, of):
        answer = self.ask_core(of)
        assert not answer.get("more"), "a world has more rows than a page"
        return answer["rows"]

    def row(self, event):
        return next(row for row in self.rows("presses") if row["event"] == event)

    def verify_rows(self):
        presses = self.rows("presses")
        found = {row["event"]: row["incident"] for row in presses}
        incidents = [row["id"] for row in self.rows("incidents")]
        expected = {event for alarm in self.alarms for event in alarm}
        if missing := expected - set(found):
            raise Trouble("lost", f"presses {missing} are no entries")
        if len(found) != len(presses) or set(found) - expected:
            raise Trouble("doubled", f"entries {presses} of presses {self.alarms}")
        if any(len({found[event] for event in alarm}) != 1 for alarm in self.alarms):
            raise Trouble("doubled", f"an alarm is several incidents: {presses}")
        if len({found[alarm[0]] for alarm in self.alarms}) != len(self.alarms):
            raise Trouble("lost", f"presses opened no incident of their own: {presses}")
        if len(incidents) != len(self.alarms):
            raise Trouble("doubled", f"{len(incidents)} incidents of {len(self.alarms)} alarms")
        if doubled := self.receiver.doubled():
            raise Trouble("doubled", f"one message by several keys: {doubled}")

    def clear(self, incident):
        """Ends the alarm, which is told, and is ready for the next press."""
        if self.state not in ("EMERGENCY_ENDED", "NO_EMERGENCY"):
            self.ask_core("disarm", pin=PIN)
        self.receiver.wait(incident, "closing")
        if self.state != "NO_EMERGENCY":
            self.ask_core("resume")

    def undisturbed(self):
        """A press that nothing troubles: all is well again."""
        event = self.press()
        self.settle()
        self.clear(self.verify(event))

    # Faults

    def set_faults(self, at, *values):
        """Fields of shim.c, from that one on."""
        struct.pack_into(f"<{len(values)}q", self.faults, 8 * at, *values)

    def fault(self, at):
        return struct.unpack_from("<q", self.faults, 8 * at)[0]
