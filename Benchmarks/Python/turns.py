#!/usr/bin/env python3
"""fob's decoders beside peers in Python and Debian: the same work, in turn, on one processor.

turns.py frames|sentences --bench FOB-BENCH --folder FOLDER --results FILE
"""

import argparse
import contextlib
import os
import shutil
import statistics
import subprocess
import sys

from processes import go_first, keep

HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = {
    "frames": [
        ("random", "frames", "random.stream", "decode + CRC beside Python, random"),
        ("zeros", "frames", "zeros.stream", "decode + CRC beside Python, 30 % zeros"),
    ],
    "sentences": [
        ("sentences", "sentences", "sentences.nmea", "NMEA sentence beside Python and gpsd"),
    ],
}
#: Each peer, what its row says of it, and what it needs.
PEERS = {
    "frames": [
        ("cobs", "cobs and crc32c, cut at the zeros", None),
        ("MIN", "MIN's host, its own framing and CRC", "MIN_HOST"),
        ("meshtastic", "meshtastic's stream reader, no CRC", None),
        ("bumble", "bumble's HCI parser, no CRC", None),
    ],
    "sentences": [
        ("pynmea2", "pynmea2", None),
        ("gpsdecode", "gpsdecode, with its JSON", "gpsdecode"),
    ],
}


class Contender:
    def __init__(self, stack, name, command):
        self.name = name
        self.times = []
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        stack.callback(self.process.wait)
        stack.callback(self.process.stdin.close)

    def turn(self, units):
        """Does the work once. Twice in a row, a processor would know by heart what comes.

        Returns nanoseconds of a unit."""
        self.process.stdin.write("once\n")
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            raise ChildProcessError(f"{self.name} ended")
        took, right = map(int, answer)
        if right != units:
            raise ValueError(f"{self.name} read {right} of {units} rightly")
        return took / units


def is_there(need):
    return not need or need in os.environ or shutil.which(need) is not None


def measure(options, job, peers):
    work, kind, file, title = job
    folder = options.folder
    lines = work + ".bodies" if kind == "frames" else file
    with open(os.path.join(folder, lines), encoding="ascii") as text:
        units = sum(1 for _ in text)
    with contextlib.ExitStack() as stack:
        ours = Contender(
            stack,
            "fob",
            [options.bench, "take-turns", "--work", kind, "--file", os.path.join(folder, file)],
        )
        others = {}
        for name, _, need in peers:
            if not is_there(need):
                continue
            command = [sys.executable, os.path.join(HERE, "contenders.py"), name, folder, work]
            other = Contender(stack, name, command)
            try:
                other.turn(units)
                others[name] = other
            except (ChildProcessError, BrokenPipeError) as error:
                print(f"{error}: make bench-peers installs it", file=sys.stderr)
        contenders = [ours, *others.values()]
        for _ in range(options.blocks):
            for contender in contenders:
                contender.times.append(contender.turn(units))
    rows = []
    for name, says, _ in peers:
        row = {"name": title, "unit": "ns", "ours": statistics.median(ours.times)}
        row["peerName"] = says
        if name in others:
            row["peer"] = statistics.median(others[name].times)
        rows.append(row)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=list(JOBS))
    parser.add_argument("--bench", required=True, help="the binary fob-bench")
    parser.add_argument("--folder", required=True, help="where `fob-bench dump` may write")
    parser.add_argument("--results", required=True, help="the JSON file for the rows")
    parser.add_argument("--blocks", type=int, default=60)
    options = parser.parse_args()
    go_first()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    subprocess.run([options.bench, "dump", "--folder", options.folder], check=True)
    rows = []
    for job in JOBS[options.part]:
        rows += measure(options, job, PEERS[options.part])
    keep(options.part, rows, options.results)
    for row in rows:
        peer = f"{row['peer']:.0f}" if "peer" in row else "not measured"
        print(f"{row['name']}: {row['ours']:.1f} ns; {row['peerName']}: {peer}")


if __name__ == "__main__":
    main()
