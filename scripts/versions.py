#!/usr/bin/env python3
"""What fob was built and tested with, as docs/reference/versions.md has it.

    scripts/versions.py PROGRAM PACKAGE…

PROGRAM was linked by SwiftPM in this folder; each PACKAGE is one of Debian's. Prints the page.
"""

import pathlib
import re
import subprocess
import sys

from sbom import swift_packages


def said_by(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def debian_release():
    lines = pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["PRETTY_NAME"].strip('"')


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main():
    program, *packages = sys.argv[1:]
    compiler = re.search(r"Swift version (\S+)", said_by("swiftc", "--version")).group(1)
    swift = sorted((name, version, address)
                   for name, version, address, _ in swift_packages(pathlib.Path(program).resolve()))
    debian = [(name, said_by("dpkg-query", "-W", "-f", "${Version}", name))
              for name in sorted(packages)]
    print(f"""# Versions

What fob was last built and tested with: `make versions` writes this page. Package.swift says the
oldest versions of Swift packages that it takes; security updates of Debian's libraries come from
Debian.

{table(["tool", "version"], [("Swift", compiler), ("system", debian_release())])}

Swift packages in the program:

{table(["package", "version", "from"], swift)}

Debian packages to build it with:

{table(["package", "version"], debian)}""")


if __name__ == "__main__":
    main()
