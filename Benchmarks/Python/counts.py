#!/usr/bin/env python3
"""Instructions of one frame or sentence, by callgrind: they repeat where times do not.

The difference of two runs of different length, so that what is done once is out.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

from processes import keep

#: Part, what its rows are called, units of a block, who is counted beside fob.
WORK = [
    ("codec", "instructions of decode + CRC, both kinds", 4000,
     ["nanocobs", "cobs-c", "min", "fob-c"]),
    ("nmea", "instructions of an NMEA sentence, both ways", 4000, ["minmea"]),
]
BLOCKS = (10, 60)


def instructions(options, plain, part, name, units):
    counts = []
    for blocks in BLOCKS:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", plain, part]
        command += ["--peers", options.peers, "--only", name, "--blocks", str(blocks)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        counts.append(int(re.search(r"refs:\s*([\d,]+)", done.stderr)[1].replace(",", "")))
    return (counts[1] - counts[0]) / ((BLOCKS[1] - BLOCKS[0]) * units)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bench", required=True, help="the binary fob-bench")
    parser.add_argument("--peers", required=True, help="the folder of the peers' shared objects")
    parser.add_argument("--results", required=True, help="the JSON file for the rows")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("instructions are not counted: valgrind is not installed")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind cannot read the compiler's debug information.
        plain = os.path.join(folder, "fob-bench")
        subprocess.run(["strip", "--strip-debug", "-o", plain, options.bench], check=True)
        for part, title, units, peers in WORK:
            ours = instructions(options, plain, part, "fob", units)
            for peer in peers:
                row = {"name": title, "unit": "", "ours": ours, "peerName": peer}
                if os.path.exists(os.path.join(options.peers, peer + ".so")):
                    row["peer"] = instructions(options, plain, part, peer, units)
                rows.append(row)
                print(f"{title}: {ours:.0f}; {peer}: {row.get('peer', 'not measured')}")
    keep("count", rows, options.results)


if __name__ == "__main__":
    main()
