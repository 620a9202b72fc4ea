#!/usr/bin/env python3
"""Runs the tests that docs/reference/rows.md names for each row of the requirements.

Prints each row with its tests and the command that runs them again; ends with 0 only if every
test that is named has run and passed. Arguments are numbers of rows: those alone.
Build the tests first: swift build --build-tests --disable-xctest
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROW = re.compile(r"\| R(\d+) \| (P[01]) \| (.+?) \| (.+?) \|$")
RESULT = re.compile(
    r'^[✔✘] Test "(.+)" (?:with \d+ test cases? )?(passed|failed) after', re.MULTILINE)


def rows():
    """(number, mark, what, names): a name with an underscore is the page's, else Swift's."""
    text = (ROOT / "docs/reference/rows.md").read_text(encoding="utf-8")
    found = []
    for line in text.splitlines():
        if row := ROW.match(line):
            number, mark, what, shown = row.groups()
            found.append((int(number), mark, what, re.findall(r"`([^`]+)`", shown)))
    return found


def is_page(name):
    return name.startswith("test_")


def passed_swift(names):
    """Those of the names whose every test of that name has passed."""
    if not names:
        return set()
    filters = [part for name in names for part in ("--filter", re.escape(name) + "`")]
    run = subprocess.run(
        ["scripts/swift-test.sh", "--skip-build", *filters],
        cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", errors="replace", check=False)
    results = RESULT.findall(run.stdout)
    return {name for name, _ in results} - {name for name, how in results if how == "failed"}


def passed_page(names):
    if not names:
        return set()
    run = subprocess.run(
        ["scripts/page-tests.sh", *names], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    sys.stderr.write("" if run.returncode == 0 else run.stdout)
    # unittest names a test as test_x (module.Class.test_x), and its end on that line or the next.
    ended = re.findall(r"^(test_\w+) \((\w+)\.(\w+)\.\w+\)(?:\n.*)? \.\.\. ok$", run.stdout, re.M)
    return {f"{module}.{group}.{name}" for name, module, group in ended}


def main(arguments):
    wanted = {int(argument.lstrip("R")) for argument in arguments}
    table = [row for row in rows() if not wanted or row[0] in wanted]
    names = sorted({name for row in table for name in row[3]})
    passed = passed_swift([name for name in names if not is_page(name)])
    passed |= passed_page([name for name in names if is_page(name)])
    shown = {"P0": [0, 0], "P1": [0, 0]}
    for number, mark, what, tests in table:
        lacks = [name for name in tests if name not in passed]
        shown[mark][0] += not lacks
        shown[mark][1] += 1
        print(f"{'✓' if not lacks else '✗'} R{number} {what}")
        for name in tests:
            command = (f"scripts/page-tests.sh {name}" if is_page(name)
                       else f"scripts/swift-test.sh --filter '{name}'")
            print(f"    {'✗' if name in lacks else '✓'} {command}")
    counts = [f"{count} of {total} {mark}" for mark, (count, total) in shown.items() if total]
    print(", ".join(counts))
    return 0 if all(count == total for count, total in shown.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
