#!/usr/bin/env python3
"""How exact the pace of breathing is on the board in QEMU (R70).

    scripts/breathing-pace.py --fob FOB [--phases 100]

The bridge shows breathing as an owner starts it, and says so anew each second. Each edge of the
light is held against the pattern of PROTOCOL.md from its first phase on: none may be more than 5 ms
from its place.
"""

import argparse
import contextlib
import pathlib
import statistics
import sys
import tempfile

from fob_rig import Lines
from owner_rig import Owner, Programs

#: In, hold, out, hold, as (on, ms).
PHASES = [
    [(True, 4_000)], [(True, 200), (False, 200)] * 10, [(False, 4_000)],
    [(True, 100), (False, 900)] * 4,
]
MOST = 5_000


def edges():
    """When the light goes on or off, and to what: ms since the first phase, without end."""
    at, was = 0, False
    while True:
        for phase in PHASES:
            for on, length in phase:
                if on != was:
                    yield at, on
                at, was = at + length, on


def measured(fob, folder, phases):
    """Of each edge, µs from its place."""
    programs = Programs(fob, folder)
    with contextlib.ExitStack() as stack:
        stack.callback(programs.end_all)
        programs.start_keychain("--board", "qemu")
        programs.start_bridge()
        programs.await_link()
        light = Lines(folder / "keychain.sock")
        light.begin("subscribe", leds=True)
        lights = (event for event in iter(light.answer, None) if event.get("name") == "light")
        # Just after a blink: were it lit already, the first phase would begin without an edge.
        next(event for event in lights if not event["led"])
        Owner(programs).ask("POST", "/v1/exercises/breathing/start", {})
        first, errors = None, []
        for place, on in edges():
            if place > phases * 4_000:
                return errors
            event = next(lights)
            if event["led"] != on:
                sys.exit(f"at {place} ms the light is {'on' if event['led'] else 'off'}")
            first = first if first is not None else event["at"]
            errors.append(event["at"] - first - place * 1_000)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fob", required=True, help="the binary")
    parser.add_argument("--phases", type=int, default=100, help="of 4 s each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        errors = measured(options.fob, pathlib.Path(folder), options.phases)
    # The first edge is no better than the others.
    middle = statistics.median(errors)
    worst = max((error - middle for error in errors), key=abs)
    print(f"{options.phases} phases, {len(errors)} edges: the worst {worst / 1000:+.2f} ms")
    if abs(worst) > MOST:
        sys.exit(f"more than {MOST / 1000:.0f} ms from its place")


if __name__ == "__main__":
    main()
