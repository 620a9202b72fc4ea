"""A keychain, a bridge with its core, and the owner at the API: what scripts share that look at the
companions."""

import json
import os
import socket
import subprocess
import sys
import urllib.request

from fob_rig import PATIENCE, Lines, started

PIN = "2468"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Owner:
    """The owner at the API."""

    def __init__(self, programs):
        self.url = f"http://127.0.0.1:{programs.port}"
        path = programs.folder / "state/admin-token"
        self.token = path.read_text(encoding="ascii").strip()

    def ask(self, method, path, body=None):
        head = {"Authorization": f"Bearer {self.token}", "Fob-PIN": PIN}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            head["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data, head, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read()


class Programs:
    """A keychain and a bridge with its core, and what they print."""

    def __init__(self, fob, folder):
        self.fob, self.folder, self.port = os.path.abspath(fob), folder, free_port()
        self.running = {}
        (folder / "pin").touch(mode=0o600)
        (folder / "pin").write_text(PIN, encoding="ascii")

    def start(self, name, *words):
        """Of one that serves: it is ready then."""
        process = started([self.fob, *words], self.folder / f"{name}.printed")
        if process.poll() is not None:
            sys.exit(f"fob {words[0]} does not start")
        self.running[name] = process
        return process

    def follow(self, name, request):
        """What the bridge streams, in a file."""
        words = [self.fob, "ctl", "--socket", str(self.folder / "bridge.sock"), request]
        with open(self.folder / f"{name}.printed", "ab") as file:
            self.running[name] = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=file, stderr=file)

    def start_keychain(self):
        return self.start(
            "keychain", "emulate", "--link", self.folder / "line", "--store",
            self.folder / "store", "--control", self.folder / "keychain.sock")

    def start_bridge(self):
        return self.start(
            "bridge", "bridge", "--device", f"pty:{self.folder / 'line'}", "--state",
            self.folder / "state", "--pin-file", self.folder / "pin", "--listen",
            f"127.0.0.1:{self.port}", "--control", self.folder / "bridge.sock", "--log",
            self.folder / "messages.jsonl")

    def await_link(self):
        keychain = Lines(self.folder / "keychain.sock")
        keychain.ask("wait", **{"for": "linked", "within_ms": 60_000})
        keychain.close()

    def end(self, name):
        process = self.running.pop(name)
        process.terminate()
        process.wait(PATIENCE)

    def end_all(self):
        for name in list(self.running):
            self.end(name)
