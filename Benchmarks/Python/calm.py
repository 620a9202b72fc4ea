#!/usr/bin/env python3
"""What the companions cost the alarm, and how soon a message is on its way.

An emulated keychain on a pty and a bridge with its core, two processes. Presses raise the alarm by
turns with breathing running and without: t1 to t3, from the frame's last byte written by the
firmware to the decision. Then clicks ask for each of the five messages: from the last click to the
moment at which the channel has taken it, which holds the time that the core waits for one more.
"""

import argparse
import contextlib
import json
import os
import socket
import statistics
import sys
import tempfile
import time

from bars import BARS
from due import API, PIN, bridge
from processes import PATIENCE, connected, go_first, keep, pinned, started

#: Presses that are not counted, of each kind.
WARM_UP = 5
#: ms; a hold raises the alarm at its release, where that comes within 1.5 s.
HOLD = 600
#: ms.
CLICK = 80
#: s between two presses: what comes sooner belongs to the gesture before.
APART = 0.7
SLOTS = range(1, 6)


class Socket:
    """A control socket, and the stream of what happens there."""

    def __init__(self, stack, process, log, path):
        self.asking = stack.enter_context(
            connected(stack, process, log, socket.AF_UNIX, path).makefile("rw"))
        self.stream = stack.enter_context(
            connected(stack, process, log, socket.AF_UNIX, path).makefile("rw"))
        self._write(self.stream, do="subscribe")

    @staticmethod
    def _write(file, **request):
        file.write(json.dumps(request) + "\n")
        file.flush()

    def ask(self, do, **values):
        self._write(self.asking, do=do, **values)
        answer = json.loads(self.asking.readline())
        if "error" in answer:
            raise ValueError(f"{do}: {answer['error']}")
        return answer

    def until(self, is_wanted):
        """The first line of the stream that is."""
        for line in self.stream:
            event = json.loads(line)
            if is_wanted(event):
                return event
        raise ConnectionError("the stream has ended")

    def until_happened(self, name, **facts):
        """The first entry of the log that has this name, and these facts."""
        def is_wanted(line):
            entry = line.get("happening") or {}
            return entry.get("name") == name \
                and facts.items() <= (entry.get("facts") or {}).items()
        return self.until(is_wanted)


class Rig:
    """A keychain, its bridge, and the owner at the API."""

    def __init__(self, stack, folder, fob):
        line = os.path.join(folder, "line")
        control, log = os.path.join(folder, "keychain.sock"), os.path.join(folder, "keychain.log")
        command = [fob, "emulate", "--link", line, "--store", os.path.join(folder, "store")]
        with pinned():
            process = started(stack, [*command, "--control", control], log)
            self.keychain = Socket(stack, process, log, control)
            state, port, log, process = bridge(stack, folder, fob, line)
        self.core = Socket(stack, process, log, os.path.join(folder, "bridge.sock"))
        connected(stack, process, log, socket.AF_INET, ("127.0.0.1", port)).close()
        self.api = API(state, port)
        self.keychain.ask("wait", **{"for": "linked"})

    def stages(self, is_breathing):
        """The stamps of one press that raises the alarm; µs from t1 to t3."""
        time.sleep(APART)
        if is_breathing:
            self.api.post("/v1/exercises/breathing/start")
        event = self.keychain.ask("press", hold_ms=HOLD)["event"]

        def is_whole(line):
            stages = line.get("stages") or {}
            return stages.get("event") == event and stages.get("written") is not None

        stages = self.core.until(is_whole)["stages"]
        self.core.until_happened("stateChanged", to="EMERGENCY_SENT")
        self.api.post("/v1/incidents/current/disarm", pin=PIN)
        self.api.post("/v1/incidents/current/resume")
        return stages["decided"] - stages["written"]

    def fill(self, slot):
        self.api.ask("PUT", f"/v1/messages/slots/{slot}",
                     {"contact": "contact-1", "message": "I am well", "pin": PIN})

    def message(self, slot):
        """µs from the last of a slot's clicks to the message's being with its channel."""
        time.sleep(APART)
        for _ in range(slot + 1):
            self.keychain.ask("press", hold_ms=CLICK)
            time.sleep(2 * CLICK / 1000)
        clicked = time.monotonic()
        self.core.until_happened("messageTaken")
        return (time.monotonic() - clicked) * 1e6


def measure(options, folder):
    """Times of presses with breathing and without, and of messages."""
    with contextlib.ExitStack() as stack:
        rig = Rig(stack, folder, options.fob)
        presses = {True: [], False: []}
        for number in range(2 * (options.presses + WARM_UP)):
            is_breathing = number % 2 == 0
            presses[is_breathing].append(rig.stages(is_breathing))
        # Sends of one slot within a minute are one.
        for slot in SLOTS:
            rig.fill(slot)
        messages = [rig.message(slot) for slot in SLOTS]
    return presses[True][WARM_UP:], presses[False][WARM_UP:], messages


def quantiles(times):
    times = sorted(times)
    return {"median": statistics.median(times), "p99": times[int(0.99 * len(times))]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fob", required=True, help="the binary, a release build")
    parser.add_argument("--results", required=True, help="the JSON file for the rows")
    parser.add_argument("--presses", type=int, default=200, help="of each kind")
    options = parser.parse_args()
    go_first()
    with tempfile.TemporaryDirectory() as folder:
        breathing, idle, messages = (quantiles(times) for times in measure(options, folder))
    rows = [
        {"name": f"t1→t3 while breathing runs, {q}", "unit": "µs", "ours": breathing[q],
         "peerName": "without it", "peer": idle[q]}
        for q in breathing
    ]
    rows += [
        {"name": f"last click → its message is taken, {q}", "unit": "ms",
         "ours": messages[q] / 1000, "peerName": ""}
        for q in messages
    ]
    keep("calm", rows, options.results)
    for row in rows:
        against = f", without {row['peer']:.1f}" if "peer" in row else ""
        print(f"{row['name']}: {row['ours']:.1f} {row['unit']}{against}")
    [bar] = [bar for bar in BARS if bar.part == "calm"]
    [row] = [row for row in rows if bar.holds(row)]
    ratio = row["ours"] / row["peer"]
    print(f"{bar.name}: {ratio:.3f}, bar {bar.text}")
    if not bar.is_met(row["ours"], ratio):
        sys.exit("the bar is missed")


if __name__ == "__main__":
    main()
