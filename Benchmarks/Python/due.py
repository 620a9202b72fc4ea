#!/usr/bin/env python3
"""From the moment at which a check-in falls due to the keychain's light that says so.

An emulated keychain on a pty and a bridge with its core, two processes. A series asks each hour.
The bridge's test clock is moved to some 400 ms before the hour; from there on the time goes by
itself, so that the bridge wakes by its own timer. What is measured is from the hour, by the
bridge's clock, to the stamp of the firmware that has put the light on. Each is answered, and the
light is off again, before the next.
"""

import argparse
import contextlib
import datetime
import json
import os
import random
import socket
import statistics
import tempfile
import time
import urllib.request

from processes import PATIENCE, connected, free_port, go_first, keep, pinned, started

PIN = "2468"
HOUR = 3_600_000_000
#: How long before the hour the clock is moved to, µs. Bridge and disk have to be at rest by then.
AHEAD = range(300_000, 500_000)


def wall():
    return time.time_ns() // 1000


class Clock:
    """What `--test-clock` asks: how far the bridge's clocks are ahead."""

    def __init__(self, stack, path):
        self.listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        self.listener.bind(path)
        self.listener.listen()
        self.listener.settimeout(PATIENCE)
        self.offset = 0

    def begin(self, stack):
        connection = stack.enter_context(self.listener.accept()[0])
        connection.settimeout(PATIENCE)
        self.file = stack.enter_context(connection.makefile("rw"))
        self.move(0)

    def move(self, offset):
        """Returns when all that is due by then is done and committed."""
        self.offset = offset
        self.file.write(json.dumps({"offset_us": offset}) + "\n")
        self.file.flush()
        if json.loads(self.file.readline()) != {"done": offset}:
            raise ValueError(f"the clock was not moved to {offset}")


class Light:
    """What the keychain tells of its light, with its firmware's stamps."""

    def __init__(self, stack, folder, fob):
        self.line = os.path.join(folder, "line")
        control, log = os.path.join(folder, "keychain.sock"), os.path.join(folder, "keychain.log")
        command = [fob, "emulate", "--link", self.line, "--store", os.path.join(folder, "store")]
        process = started(stack, [*command, "--control", control], log)
        client = connected(stack, process, log, socket.AF_UNIX, control)
        self.file = stack.enter_context(client.makefile("rw"))
        self.file.write('{"do":"subscribe"}\n')
        self.file.flush()

    def shows(self, wanted):
        """Waits until it shows that; returns since when, µs of CLOCK_BOOTTIME."""
        for line in self.file:
            event = json.loads(line)
            if event.get("name") == "shown" and event["shown"] == wanted:
                return event["at"]
        raise ConnectionError("the keychain has ended")


class API:
    def __init__(self, state, port):
        self.url = f"http://127.0.0.1:{port}"
        with open(os.path.join(state, "admin-token"), encoding="ascii") as file:
            self.token = file.read().strip()

    def post(self, path, **body):
        return self.ask("POST", path, body)

    def ask(self, method, path, body):
        head = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(
            self.url + path, json.dumps(body).encode(), head, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def asks_each_hour(self, day):
        """Returns the id of a series that asks from that day on, at each full hour."""
        rule = {"kind": "days", "every": 1, "times": 24, "hoursApart": 1}
        made = self.post(
            "/v1/check-ins/series", description="Are you well?", rule=rule, time="00:00",
            start=f"{day:%Y-%m-%d}", lead=0, pin=PIN)
        return made["id"]


def bridge(stack, folder, fob, line, *more):
    """Of profile guarded: its state folder, its API's port, its log and its process."""
    port, state = free_port(), os.path.join(folder, "state")
    pin = os.path.join(folder, "pin")
    with open(os.open(pin, os.O_WRONLY | os.O_CREAT, 0o600), "w", encoding="ascii") as file:
        file.write(PIN)
    command = [fob, "bridge", "--device", f"pty:{line}", "--state", state, "--pin-file", pin]
    command += ["--control", os.path.join(folder, "bridge.sock"), "--profile", "guarded"]
    command += ["--listen", f"127.0.0.1:{port}", *more]
    log = os.path.join(folder, "bridge.log")
    return state, port, log, started(stack, command, log)


def latency(clock, light, api, series, hour):
    """µs from that hour of the bridge's wall clock to its light."""
    clock.move(hour - wall() - random.choice(AHEAD))
    if wall() + clock.offset >= hour:
        raise ValueError("the clock was not moved within the time before the hour")
    boot, now = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000, wall() + clock.offset
    lit = light.shows("due")
    at = datetime.datetime.fromtimestamp(hour / 1e6, datetime.timezone.utc)
    key = f"{at:%Y%m%dT0000}" + (f"-{at.hour}" if at.hour else "")
    api.post(f"/v1/check-ins/{series}/{key}/complete")
    light.shows("idle")
    return lit - (boot + hour - now)


def measure(options, folder):
    with contextlib.ExitStack() as stack:
        path = os.path.join(folder, "clock.sock")
        clock = Clock(stack, path)
        with pinned():
            light = Light(stack, folder, options.fob)
            state, port, log, process = bridge(
                stack, folder, options.fob, light.line, "--test-clock", path)
        clock.begin(stack)
        connected(stack, process, log, socket.AF_INET, ("127.0.0.1", port)).close()
        light.shows("idle")
        api = API(state, port)
        midnight = wall() // (24 * HOUR) * 24 * HOUR + 24 * HOUR
        day = datetime.datetime.fromtimestamp(midnight / 1e6, datetime.timezone.utc)
        series = api.asks_each_hour(day)
        times = [
            latency(clock, light, api, series, midnight + number * HOUR)
            for number in range(options.instants)
        ]
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fob", required=True, help="the binary, a release build")
    parser.add_argument("--results", required=True, help="the JSON file for the rows")
    parser.add_argument("--instants", type=int, default=400, help="how many fall due")
    options = parser.parse_args()
    go_first()
    with tempfile.TemporaryDirectory() as folder:
        times = sorted(measure(options, folder))
    figures = {
        "median": statistics.median(times),
        "p99": times[int(0.99 * len(times))],
        "max": times[-1],
    }
    rows = [
        {"name": f"check-in due → its light, {q}", "unit": "ms", "ours": figure / 1000,
         "peerName": ""}
        for q, figure in figures.items()
    ]
    keep("due", rows, options.results)
    for row in rows:
        print(f"{row['name']}: {row['ours']:.2f} ms, of {len(times)}")


if __name__ == "__main__":
    main()
