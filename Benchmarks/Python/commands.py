#!/usr/bin/env python3
"""Figures that fob's own commands and scripts print, as rows beside their bars.

A command that fails, or that does not print the figure, leaves no row: its bar is "not measured".
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys

from processes import keep

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def output(command, accepted=(0,), **environment):
    """What it prints, once it has ended in one of these ways; shown here, too."""
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, text=True
    )
    print(done.stdout, end="", flush=True)
    if done.returncode not in accepted:
        raise ChildProcessError(f"{command[0]} ended with {done.returncode}")
    return done.stdout


def row(name, unit, ours, peer="", theirs=None):
    made = {"name": name, "unit": unit, "ours": ours, "peerName": peer}
    return made if theirs is None else made | {"peer": theirs}


def number(pattern, text):
    found = re.search(pattern, text)
    if not found:
        raise ValueError(f"nothing like '{pattern}' was printed")
    return float(found[1].replace(",", ""))


def firmware(fob):
    # It fails where the firmware is over its budget, and says its size all the same.
    text = output(["scripts/firmware.sh"], accepted=(0, 1))
    return [
        row("firmware, text", "B", number(r"text \(code, constants\) +(\d+) bytes", text)),
        row("firmware, RAM", "B", number(r"RAM +(\d+) bytes", text)),
        row("firmware, heap", "B", number(r"heap +(\d+) bytes", text)),
    ]


def seal(fob):
    rows = []
    # Two cycles an instruction: Benchmarks/README.md says why that is more than it takes.
    for core, megahertz, option in ("M3", 50, []), ("M0", 16, ["--cortex-m0"]):
        text = output(["scripts/count-board.sh", *option]).partition("EVENT, ")[2]
        plain = number(r"not paired ([\d.]+)", text)
        cycles = 2 * (number(r"\n  paired ([\d.]+)", text) - plain)
        name = f"EVENT sealed, Cortex-{core} at {megahertz} MHz"
        rows.append(row(name, "µs", cycles / megahertz))
    return rows


def simulate(fob):
    rows = []
    for world, name in ("quiet", "quiet"), ("gps", "1 Hz GPS"):
        text = output([fob, "simulate", "--speed", world])
        if number(r"([\d,]+) violations?", text) != 0:
            raise ValueError("a rule of the simulated world was broken")
        rate = number(r"([\d,]+) device-s/s", text)
        rows.append(row(f"simulated device-seconds, {name}", "a second", rate))
    return rows


def bit_errors(fob):
    command = ["scripts/swift-test.sh", "--filter", "BitErrorTests"]
    text = output(command, accepted=(0, 1), FOB_SOAK="1")
    wrong = [int(count) for count in re.findall(r"\d+ errors, (\d+) wrongly accepted", text)]
    if not wrong:
        raise ValueError("no frame was damaged")
    return [row("wrong accepts of 1- and 2-bit errors", "", sum(wrong))]


def schedules(fob):
    text = output([fob, "simulate", "--seeds", "1..1000000"], accepted=(0, 1))
    if number(r"([\d,]+) schedules", text) != 1_000_000:
        raise ValueError("not every schedule was played")
    broken = number(r"([\d,]+) violations?", text)
    return [row("presses lost or doubled in 1,000,000 schedules", "", broken)]


def start(fob):
    told = json.loads(output([fob, "bench", "start", "--json"]))
    name = "fob run, exec to armed"
    return [row(f"{name}, {q}", "ms", told["armed"][q] / 1000) for q in ("median", "p99", "max")]


def load(fob):
    bench = [fob, "bench", "load", "--json", "--on"]
    # It fails where a press was lost: then nothing was carried, and that is its figure.
    failed = (0, *range(1, 128))
    core = ["taskset", "-c", str(max(os.sched_getaffinity(0)))]
    # Without presses: each is shown by all, which is another question than whether they live.
    command = core + bench + ["memory:", "--keychains", "10000", "--rate", "0"]
    crowd = json.loads(output(command, accepted=failed))
    both = bench + ["unix:", "--keychains", "1", "1000", "--rounds", "3"]
    bridge = json.loads(output(both, accepted=failed))
    rows = [
        row("keychains of one core, memory:", "", crowd.get("carried") or 0),
        row("keychains of one bridge, unix:", "", bridge.get("carried") or 0),
    ]
    late = {1: [], 1000: []}
    for step in bridge["steps"]:
        if step.get("pressToDecided"):
            late[step["keychains"]].append(step["pressToDecided"]["p99"])
    if all(late.values()):
        one, all_of_them = (statistics.median(late[count]) for count in (1, 1000))
        name = "press→decided of 1,000, p99"
        rows.append(row(name, "µs", all_of_them, "of one keychain", one))
    text = output(["scripts/swift-test.sh", "--filter", "KeychainSizeTests"])
    return rows + [row("state of one keychain", "B", number(r"Keychain: (\d+) bytes", text))]


FIGURES = {
    "start": start,
    "load": load,
    "firmware": firmware,
    "seal": seal,
    "simulate": simulate,
    "bit-errors": bit_errors,
    "schedules": schedules,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=list(FIGURES))
    parser.add_argument("--fob", help="the binary, a release build")
    parser.add_argument("--results", required=True, help="the JSON file for the rows")
    options = parser.parse_args()
    fob = os.path.abspath(options.fob) if options.fob else None
    try:
        rows = FIGURES[options.part](fob)
    except (OSError, LookupError, ValueError) as error:
        sys.exit(f"{options.part}: not measured: {error}")
    keep(options.part, rows, options.results)


if __name__ == "__main__":
    main()
