#!/usr/bin/env python3
"""How many presses a second one core carries from hundreds of bridges, each a process of its own.

One `fob core --owners each`, N processes `fob bridge --core` with a few keychains each, and all
keychains in one `fob emulate`. Presses are made when they are due, whatever became of the one
before. Times are those of the keychains, by the host's boot clock, from the first edge: until the
press is stored, until the core's ack, which says that it is durable, and until the light that the
core asks for says that a message was accepted. A press without an ack ends the run with 1.

  FOB=.build/release/fob Benchmarks/Python/rack.py --bridges 200 --keychains 5 --rates 10 50 100
"""

import argparse
import contextlib
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from processes import free_port, started

OF_TOKEN = 16  # bridges that a core takes by one token


class Lines:
    """A control socket: one JSON object a line."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("rw", encoding="utf-8")

    def say(self, **question):
        self.file.write(json.dumps(question) + "\n")
        self.file.flush()

    def hear(self):
        line = self.file.readline()
        if not line:
            raise ConnectionError("the control socket was closed")
        return json.loads(line)

    def must(self, **question):
        self.say(**question)
        answer = self.hear()
        if not answer.get("ok"):
            raise ValueError(f"{question}: {answer}")
        return answer


class Rack:
    def __init__(self, fob, folder, bridges, keychains, words=("--owners", "each")):
        """words: further ones of the core's."""
        self.fob, self.folder, self.words = fob, pathlib.Path(folder), words
        self.bridges, self.keychains = bridges, keychains
        self.presses = {}
        self.processes = []

    def start(self, stack):
        port = free_port()
        address = f"127.0.0.1:{port}"
        pin = self.folder / "pin"
        pin.write_text("2468\n")
        pin.chmod(0o600)
        state = self.folder / "core"
        self.core = self.run(
            stack, "core", "core", "--bench", "--pin-file", pin, "--state", state, "--listen",
            address, "--control", self.folder / "core.sock", *self.words,
        )  # fmt: skip
        self.until("the core listens", lambda: self.answers(port))
        devices = self.bridges * self.keychains
        control = self.folder / "keychains.sock"
        self.run(
            stack, "keychains", "emulate", "--count", devices, "--on",
            f"pty:{self.folder}/k{{n}}", "--control", control, "--no-gps",
        )  # fmt: skip
        self.until("the keychains listen", control.exists)
        for number in range(self.bridges):
            token = self.token(number // OF_TOKEN, state)
            first = number * self.keychains + 1
            lines = range(first, first + self.keychains)
            named = [word for n in lines for word in ("--device", f"pty:{self.folder}/k{n}")]
            self.processes.append(
                self.run(
                    stack, f"bridge{number}", "bridge", *named, "--core", f"http://{address}",
                    "--token-file", token,
                )  # fmt: skip
            )
        self.asking = Lines(control)
        for serial in range(1, devices + 1):
            self.asking.must(do="wait", **{"for": "linked"}, serial=serial, within_ms=300_000)
        self.listening = Lines(control)
        self.listening.must(do="subscribe", all=True)
        threading.Thread(target=self.listen, daemon=True).start()

    def run(self, stack, name, *words):
        return started(stack, [self.fob, *map(str, words)], self.folder / f"{name}.log")

    def token(self, number, state):
        path = self.folder / f"token{number}"
        if not path.exists():
            words = ["token", "create", "--scope", "feed", "--name", f"rack{number}"]
            made = subprocess.run(
                [self.fob, *words, "--state", state], check=True, capture_output=True
            )
            path.touch(0o600)
            path.write_bytes(made.stdout)
        return path

    @staticmethod
    def answers(port):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return True
        return False

    def until(self, what, holds, patience=300):
        deadline = time.monotonic() + patience
        while not holds():
            if time.monotonic() > deadline:
                raise TimeoutError(f"{what}: not within {patience} s")
            time.sleep(0.05)

    def next_event(self):
        """None once the keychains have ended."""
        with contextlib.suppress(ConnectionError):
            return self.listening.hear()

    def listen(self):
        """Each press by device and number, with the times of what became of it."""
        closed, newest = {}, {}
        while event := self.next_event():
            device, name, at = event.get("serial"), event.get("name"), event.get("at")
            if name == "closed":
                closed[device] = at
            elif name == "committed" and event.get("kind") == "pressed":
                press = self.presses[device, event["event"]] = {"closed": closed.get(device, at)}
                press["stored"] = at
                newest[device] = press
            elif name == "acked" and (press := self.presses.get((device, event["event"]))):
                press.setdefault("acked", at)
            elif name == "shown" and event.get("shown") == "accepted" and device in newest:
                newest[device].setdefault("shown", at)

    def press(self, rate, seconds, first):
        """Presses in turn; the answer to each is read later."""
        count = int(rate * seconds)
        devices = self.bridges * self.keychains
        began = time.monotonic()
        for index in range(count):
            wait = began + index / rate - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            self.asking.say(do="press", hold_ms=40, serial=(first + index) % devices + 1)
        late = time.monotonic() - began - count / rate
        refused = [a for a in (self.asking.hear() for _ in range(count)) if not a.get("ok")]
        if refused:
            raise ValueError(f"{len(refused)} presses were refused: {refused[0]}")
        return count, late

    def measure(self, rate, seconds, first):
        self.presses.clear()
        before = [cpu(self.core.pid), *map(cpu, (p.pid for p in self.processes))]
        count, late = self.press(rate, seconds, first)
        with contextlib.suppress(TimeoutError):
            self.until("all acks", lambda: self.acked() >= count, 60)
        time.sleep(1)
        after = [cpu(self.core.pid), *map(cpu, (p.pid for p in self.processes))]
        spent = [b - a for a, b in zip(before, after)]
        return {
            "rate": rate, "presses": count, "stored": len(self.presses), "acked": self.acked(),
            "late_s": round(late, 3), "core_cpu_s": round(spent[0], 2),
            "bridges_cpu_s": round(sum(spent[1:]), 2), "core_rss_mb": rss(self.core.pid),
            "bridges_rss_mb": round(sum(rss(p.pid) for p in self.processes), 1),
        } | {stage: self.times(stage) for stage in ("stored", "acked", "shown")}  # fmt: skip

    def acked(self):
        return sum("acked" in press for press in list(self.presses.values()))

    def times(self, stage):
        """From the first edge, in ms: median, p99, largest."""
        return figures(
            [
                (press[stage] - press["closed"]) / 1000
                for press in self.presses.values()
                if stage in press
            ],
            digits=1,
        )


def figures(took, digits):
    """Median, p99 and largest, rounded to so many digits."""
    took = sorted(took)
    if len(took) < 2:
        return {"count": len(took)}
    return {
        "count": len(took), "median": round(statistics.median(took), digits),
        "p99": round(took[min(len(took) - 1, len(took) * 99 // 100)], digits),
        "max": round(took[-1], digits),
    }  # fmt: skip


def cpu(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bridges", type=int, default=200)
    parser.add_argument("--keychains", type=int, default=5, help="of each bridge")
    parser.add_argument("--rates", type=float, nargs="+", default=[10, 20, 50, 100])
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    fob = os.environ.get("FOB", ".build/release/fob")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        rack = Rack(os.path.abspath(fob), folder, given.bridges, given.keychains)
        began = time.monotonic()
        rack.start(stack)
        print(json.dumps({"linked_s": round(time.monotonic() - began, 1)}), flush=True)
        first = 0
        for rate in given.rates:
            row = rack.measure(rate, given.seconds, first)
            first += row["presses"]
            print(json.dumps(row), flush=True)
            if row["acked"]["count"] < row["presses"]:
                print("rack: presses without an ack", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
