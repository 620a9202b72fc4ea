"""A keychain and a bridge for pytest: copy this file beside your tests.

`keychain` is an emulated keychain on a pty; `alarm` is a bridge with an alert core that has found
it. Each test has its own. FOB names the binary where it is not on the path.
"""

import json
import os
import signal
import subprocess
import tempfile
import time

import pytest

FOB = os.environ.get("FOB", "fob")
PATIENCE = 10


class Process:
    """A fob of its own with a control socket; it answers with the object that it was asked for."""

    def __init__(self, folder, name, *words):
        self.socket = f"{folder}/{name}.sock"
        self.log = open(f"{folder}/{name}.log", "w+b")
        self.process = subprocess.Popen(
            [FOB, *words, "--control", self.socket],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.until(lambda: os.path.exists(self.socket), f"{name} has a control socket")

    def ask(self, request, *words, **details):
        """`ask("press", hold_ms=300)` is `fob ctl press --hold-ms 300`; a PIN goes by stdin."""
        words = [FOB, "ctl", "--socket", self.socket, request, *words]
        pin = details.pop("pin", None)
        for name, value in details.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        answer = subprocess.run(
            words + (["--pin", "-"] if pin else []), input=f"{pin}\n" if pin else "",
            capture_output=True, text=True, timeout=3 * PATIENCE)
        assert answer.returncode == 0, f"{request}: {answer.stdout}{answer.stderr}"
        return json.loads(answer.stdout)

    def until(self, is_so, what):
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            assert self.process.poll() is None, f"ended before {what}: {self.said()}"
            assert time.monotonic() < deadline, f"not within {PATIENCE} s: {what}: {self.said()}"
            time.sleep(0.02)

    def said(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        said = self.said()
        self.log.close()
        assert code == 0, f"it ended with {code}: {said}"


class Keychain(Process):
    def __init__(self, folder, *words):
        self.line = f"pty:{folder}/keychain"
        super().__init__(folder, "keychain", "emulate", "--on", self.line, *words)
        self.wait("ready")

    def wait(self, goal, **details):
        self.ask("wait", goal, **details)

    def press(self, **details):
        """The event's number, boot.n, once the firmware has stored it."""
        return self.ask("press", **details)["event"]

    @property
    def shown(self):
        return self.ask("state")["shown"]


class Alarm(Process):
    pin = "2468"

    def __init__(self, folder, keychain):
        # What stands in a command line, others can read.
        with open(os.open(f"{folder}/pin", os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(self.pin + "\n")
        super().__init__(
            folder, "bridge", "bridge", "--device", keychain.line, "--state", f"{folder}/state",
            "--pin-file", f"{folder}/pin")
        keychain.wait("linked")

    @property
    def state(self):
        return self.ask("status")["status"]["state"]

    @property
    def presses(self):
        return [press["event"] for press in self.ask("presses")["rows"]]


@pytest.fixture
def folder():
    # Short, since the name of a socket has at most 107 bytes.
    with tempfile.TemporaryDirectory(prefix="fob-") as path:
        yield path


@pytest.fixture
def keychain(folder):
    keychain = Keychain(folder)
    yield keychain
    keychain.stop()


@pytest.fixture
def alarm(folder, keychain):
    alarm = Alarm(folder, keychain)
    yield alarm
    alarm.stop()
