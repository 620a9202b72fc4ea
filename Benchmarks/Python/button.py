#!/usr/bin/env python3
"""From a button that a program presses to the event that it hears of: beside Speculos and Bumble.

fob's is an emulated keychain on a pty and a bridge, two processes: asked at the keychain's control
socket, heard at the bridge's. The keychain's firmware waits until a clean contact is 15 ms old, so
what comes behind that is shown as well. Speculos runs Ledger's sample application in an emulated
processor: asked by POST /button with a delay of 0, heard by its event stream. Bumble has no button:
a notification of 64 bytes through its virtual link to a subscriber, in one process.
"""

import argparse
import contextlib
import glob
import http.client
import json
import os
import shutil
import socket
import statistics
import sys
import tempfile
import time

from processes import PATIENCE, connected, free_port, go_first, keep, pinned, started
from turns import HERE, Contender

#: Between two presses, seconds: a keychain's contact has to be quiet again.
PAUSE = 0.3
#: What an event of a press says of its kind.
PRESSED = 1


def microseconds():
    """Of the clock that the bridge stamps with."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) / 1000


class Lines:
    """A control socket: a line of JSON each way."""

    def __init__(self, stack, command, path):
        log = path + ".log"
        process = started(stack, command + ["--control", path], log)
        self.file = connected(stack, process, log, socket.AF_UNIX, path).makefile("rw")

    def ask(self, **request):
        self.file.write(json.dumps(request) + "\n")
        self.file.flush()

    def next(self):
        return json.loads(self.file.readline())


class Fob:
    def __init__(self, stack, folder, binary):
        line = os.path.join(folder, "line")
        emulate = [binary, "emulate", "--link", line, "--store", os.path.join(folder, "store")]
        self.keychain = Lines(stack, emulate, os.path.join(folder, "keychain.sock"))
        serve = [binary, "bridge", "--device", "pty:" + line]
        serve += ["--state", os.path.join(folder, "state")]
        self.bridge = Lines(stack, serve, os.path.join(folder, "bridge.sock"))
        self.bridge.ask(do="subscribe")
        self.keychain.ask(do="wait", **{"for": "linked", "within_ms": PATIENCE * 1000})
        if not self.keychain.next().get("ok"):
            raise ChildProcessError("fob's keychain does not link")
        self.times, self.behind = [], []

    def press(self):
        """Microseconds from the request to the event, and of it behind the debouncing."""
        began = microseconds()
        self.keychain.ask(do="press")
        while True:
            line = self.bridge.next()
            seen = microseconds()
            happening = line.get("happening", {})
            if happening.get("name") == "event" and happening["facts"]["eventKind"] == PRESSED:
                break
        number = happening["event"]
        if self.keychain.next().get("event") != number:
            raise ValueError(f"another press than {number} was answered")
        while not (line.get("type") == "stages" and line["stages"]["event"] == number):
            line = self.bridge.next()
        self.times.append(seen - began)
        self.behind.append(seen - line["stages"]["stored"])
        time.sleep(PAUSE)


class Speculos:
    """None of its own client's threads: one connection for the button, one for the events."""

    SCREENS = {"right": b"App info", "left": b"App settings"}

    def __init__(self, stack, folder, app):
        port = free_port()
        command = [sys.executable, "-m", "speculos", "--model", "nanox", "--display", "headless"]
        command += ["--api-port", str(port), "--apdu-port", str(free_port()), app]
        log = os.path.join(folder, "speculos.log")
        process = started(stack, command, log)
        events = connected(stack, process, log, socket.AF_INET, ("127.0.0.1", port))
        events.sendall(b"GET /events?stream=true HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        self.events = events.makefile("rb")
        self.button = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        stack.callback(self.button.close)
        self.times = []
        self.until(b"app is ready")
        self.post("right")
        self.until(b"App settings")
        self.button.getresponse().read()

    def until(self, text):
        while text not in (line := self.events.readline()):
            if not line:
                raise ChildProcessError("speculos ended")

    def post(self, button):
        body = json.dumps({"action": "press-and-release", "delay": 0})
        self.button.request("POST", f"/button/{button}", body)

    def press(self):
        button = "left" if len(self.times) % 2 else "right"
        began = microseconds()
        self.post(button)
        self.until(self.SCREENS[button])
        self.times.append(microseconds() - began)
        self.button.getresponse().read()
        time.sleep(PAUSE)


class Bumble:
    def __init__(self, stack):
        command = [sys.executable, os.path.join(HERE, "bumble_link.py")]
        self.child = Contender(stack, "bumble", command)
        self.child.turn(1)
        self.times = []

    def press(self):
        self.times.append(self.child.turn(1) / 1000)


def speculos_app():
    """Its sample application is in its sources, what runs it in Debian's qemu-user-static."""
    found = glob.glob(os.path.join(os.environ.get("SPECULOS_APPS", ""), "nanox#boil*.elf"))
    if not found or not shutil.which("qemu-arm-static"):
        raise FileNotFoundError("speculos: its sources or qemu-user-static are not there")
    return found[0]


def row(name, ours, peer, contender, q):
    def figure(times):
        ordered = sorted(times)
        return statistics.median(ordered) if q == "median" else ordered[int(0.99 * len(ordered))]

    made = {"name": f"{name}, {q}", "unit": "µs", "ours": figure(ours), "peerName": peer}
    if contender:
        made["peer"] = figure(contender.times)
    return made


def measure(options, folder):
    with contextlib.ExitStack() as stack:
        peers = {}
        makers = {
            "Speculos, delay 0": lambda: Speculos(stack, folder, speculos_app()),
            "Bumble's virtual link, one process": lambda: Bumble(stack),
        }
        with pinned():
            ours = Fob(stack, folder, options.fob)
            for name, make in makers.items():
                try:
                    peers[name] = make()
                except (OSError, ValueError) as error:
                    print(f"{name}: not measured: {error}", file=sys.stderr)
        for _ in range(options.blocks):
            for contender in [ours, *peers.values()]:
                for _ in range(options.presses):
                    contender.press()
    jobs = {"button to event": ours.times, "button to event, behind the debouncing": ours.behind}
    return [
        row(job, times, name, peers.get(name), q)
        for job, times in jobs.items()
        for q in ("median", "p99")
        for name in makers
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fob", required=True, help="the binary, a release build")
    parser.add_argument("--results", required=True, help="the JSON file for the rows")
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--presses", type=int, default=10, help="of one, in its turn")
    options = parser.parse_args()
    go_first()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(options, folder)
    keep("button", rows, options.results)
    for each in rows:
        print(f"{each['name']}: {each['ours']:.0f}; {each['peerName']}: {each.get('peer')}")


if __name__ == "__main__":
    main()
