#!/usr/bin/env python3
"""Whether the page and its server stay as large as they are while many keychains report.

fob emulate moves the keychains, fob bridge serves them, and a browser has both documents open: the
app, and the bench with its wire log. Each minute garbage is collected in both and what is left is
counted, and the server's own memory with it. After the first fifth, in which buffers and logs fill
up to their limits, no count may have grown by more than a tenth when its last fifth is held against
its second. What is in the last fifth is a median, so that one minute is no trend.
"""

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import time

from browser import browser, enter, served, until
from processes import PATIENCE, started

#: Of what it was, and in what it is counted, so that a small count may move.
MOST_GROWTH = 0.10
ROOM = {"fob": 4 << 20, "app": 1 << 20, "bench": 2 << 20, "app nodes": 200, "bench nodes": 500}

#: Positions of a bench keychain that moves: a new one each second.
TRACK = "track:51.4778,-0.0015,1.4,45,3"


def server(pid):
    """Bytes of this process alone, its share of what it shares not counted."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        sizes = {line.split(":")[0]: line.split()[1] for line in file if line.endswith("kB\n")}
    return 1024 * (int(sizes["Private_Clean"]) + int(sizes["Private_Dirty"]))


def document(driver, window):
    """Bytes and nodes that are left when garbage was collected."""
    driver.switch_to.window(window)
    driver.execute_cdp_cmd("HeapProfiler.enable", {})
    driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
    driver.execute_cdp_cmd("Performance.enable", {})
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    found = {metric["name"]: metric["value"] for metric in metrics}
    return found["JSHeapUsedSize"], found["Nodes"]


def sample(driver, windows, pid):
    counts = {"fob": server(pid)}
    for name, window in windows.items():
        counts[name], counts[f"{name} nodes"] = document(driver, window)
    return counts


def offences(samples):
    """Which counts have grown, in words."""
    fifth = max(1, len(samples) // 5)
    found = []
    for name, room in ROOM.items():
        early = statistics.median(counts[name] for counts in samples[fifth : 2 * fifth])
        late = statistics.median(counts[name] for counts in samples[-fifth:])
        print(f"{name}: {early:,.0f} → {late:,.0f}")
        if late > early * (1 + MOST_GROWTH) + room:
            found.append(f"{name} has grown from {early:,.0f} to {late:,.0f}")
    return found


def opened(driver, url):
    """Both documents, each in a window of its own that the browser believes to be seen."""
    windows = {}
    for name, path in {"app": "/", "bench": "/bench"}.items():
        if windows:
            driver.switch_to.new_window("window")
        driver.get(url + path)
        until(driver, "return document.querySelector('#main h1') ? true : null")
        windows[name] = driver.current_window_handle
    return windows


def watch(options, folder):
    with contextlib.ExitStack() as stack:
        lines = [f"{folder}/keychain-{n}.sock" for n in range(1, options.keychains + 1)]
        emulate = [options.fob, "emulate", "--count", str(options.keychains), "--gps", TRACK]
        emulate += ["--on", f"unix:{folder}/keychain-{{n}}.sock"]
        emulate += ["--control", f"{folder}/emulate.sock"]
        keychains = started(stack, emulate, os.path.join(folder, "emulate.log"))
        deadline = time.monotonic() + PATIENCE
        while not all(map(os.path.exists, lines)):
            if keychains.poll() is not None or time.monotonic() > deadline:
                raise ChildProcessError("the keychains do not start")
            time.sleep(0.05)
        log = os.path.join(folder, "bridge.log")
        bridge = [options.fob, "bridge", "--listen", "127.0.0.1:0"]
        bridge += ["--state", f"{folder}/state", "--control", f"{folder}/bridge.sock"]
        bridge += ["--device", *(f"unix:{line}" for line in lines)]
        process = started(stack, bridge, log)
        url, code = served(process, log)
        driver = browser(stack, os.path.join(folder, "profile"))
        enter(driver, url, code)
        windows = opened(driver, url)
        samples = []
        for minute in range(options.minutes):
            time.sleep(60)
            samples.append(sample(driver, windows, process.pid))
            told = ", ".join(f"{name} {count:,.0f}" for name, count in samples[-1].items())
            print(f"minute {minute + 1}: {told}", flush=True)
        return offences(samples)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fob", required=True, help="the binary, a release build")
    parser.add_argument("--minutes", type=int, default=60)
    parser.add_argument("--keychains", type=int, default=50)
    options = parser.parse_args()
    if options.minutes < 5:
        parser.error("a trend takes five minutes at the least")
    with tempfile.TemporaryDirectory() as folder:
        found = watch(options, folder)
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
