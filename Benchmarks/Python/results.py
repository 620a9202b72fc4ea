#!/usr/bin/env python3
"""Benchmarks/results.json and the table of Benchmarks/README.md, from what each part has left.

Each part leaves its rows in a file of its own, with what it was run on beside it. A bar whose part
or peer is not there is "not measured", which is never "met".
"""

import argparse
import json
import os
import re
import sys

from bars import BARS

HERE = os.path.dirname(os.path.abspath(__file__))
README = os.path.join(HERE, "..", "README.md")
BEGIN = "<!-- The table: scripts/bench.sh writes it. -->"
END = "<!-- End of the table. -->"
HEADS = ["what", "ours", "peer", "peer's", "ratio", "bar", "met"]
WORDS = {True: "yes", False: "**no**", None: ""}


def parts_in(folder):
    """What each part has left: its rows, and on what it ran."""
    found = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        part, suffix = os.path.splitext(name)
        if suffix != ".json":
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            rows = [row for rows in json.load(file).values() for row in rows]
        run = os.path.join(folder, part + ".run")
        if os.path.exists(run):
            with open(run, encoding="utf-8") as file:
                found[part] = rows, file.read().strip()
    return found


def row_of(source, part, run, bar=None):
    ours, theirs = source.get("ours"), source.get("peer")
    ratio = ours / theirs if ours is not None and theirs else None
    row = {
        "name": source["name"],
        "ours": ours,
        "peer": source.get("peerName", ""),
        "peersFigure": theirs,
        "unit": source["unit"],
        "ratio": ratio,
        "bar": bar.text if bar else None,
        "met": bar.is_met(ours, ratio) if bar else None,
        "command": f'make bench PARTS="{part}"',
        "run": run,
    }
    return row


def counted(rows, bar):
    """Of the rows that a bar holds, one of each name: the peer that its program has marked, else
    the fastest."""
    best = {}
    for row in rows:
        if bar.holds(row):
            rank = (row.get("bar") is None, row.get("peer") is None, row.get("peer") or 0)
            if row["name"] not in best or rank < best[row["name"]][0]:
                best[row["name"]] = rank, row
    return [row for _, row in best.values()]


def collected(parts):
    """All rows, in the order of the bars; those that no bar holds stand beside them."""
    made = []
    order = list(dict.fromkeys([bar.part for bar in BARS] + sorted(parts)))
    for part in order:
        rows, run = parts.get(part, ([], None))
        held = {}
        for bar in (bar for bar in BARS if bar.part == part):
            mine = counted(rows, bar)
            held.update((id(row), bar) for row in mine)
            if not mine:
                missing = {"name": bar.name, "unit": bar.unit, "peerName": bar.peer}
                made.append(row_of(missing, part, run, bar))
        made += [row_of(row, part, run, held.get(id(row))) for row in rows]
    return made


def number(value):
    if value is None:
        return "–"
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def share(ratio):
    return "" if ratio is None else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def cells(row):
    met = row["met"]
    return [
        row["name"],
        (number(row["ours"]) + " " + row["unit"]).strip() if row["ours"] is not None else "–",
        row["peer"],
        number(row["peersFigure"]) if row["peer"] else "",
        share(row["ratio"]),
        row["bar"] or "",
        met if isinstance(met, str) else WORDS[met],
    ]


def table(rows):
    lines = [HEADS] + [cells(row) for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADS))]
    lines.insert(1, ["-" * width for width in widths])
    text = ["| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines]
    runs = {row["command"].split('"')[1]: row["run"] for row in rows if row["run"]}
    return "\n".join(text + [""] + [f"- {part}: {run}" for part, run in runs.items()])


def between(text):
    """The text before the table, the table, and the text behind it."""
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise ValueError(f"README.md is to have one line '{BEGIN}' and one '{END}'")
    head, rest = text.split(BEGIN)
    middle, tail = rest.split(END)
    return head, middle, tail


def offences(text):
    """What is wrong with a README's table: a bar without a row, a verdict without its figures."""
    lines = [line for line in between(text)[1].splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    rows = [row for row in rows if not set(row[0]) <= {"-"}]
    found = []
    if not rows or rows[0] != HEADS:
        return ["the table has other columns"]
    for bar in BARS:
        if not any(row[5] == bar.text and re.fullmatch(bar.rows, row[0]) for row in rows[1:]):
            found.append(f"the bar of '{bar.name}', {bar.text}, has no row")
    for row in rows[1:]:
        figures = row[4] if row[5] and row[2] else row[1]
        if row[6] in (WORDS[True], WORDS[False]) and figures in ("", "–"):
            found.append(f"'{row[0]}' has a verdict and no figure")
        if row[5] and row[6] not in (WORDS[True], WORDS[False], "not measured"):
            found.append(f"'{row[0]}' has a bar and no verdict")
    return found


def collect(folder, path, readme):
    rows = collected(parts_in(folder))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(rows, file, ensure_ascii=False, indent=2)
        file.write("\n")
    with open(readme, encoding="utf-8") as file:
        head, _, tail = between(file.read())
    with open(readme, "w", encoding="utf-8") as file:
        file.write(f"{head}{BEGIN}\n\n{table(rows)}\n\n{END}{tail}")
    print(table(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words = parser.add_subparsers(dest="word", required=True)
    gather = words.add_parser("collect", help="results.json and the table, of the parts in FOLDER")
    gather.add_argument("folder")
    gather.add_argument("results")
    gather.add_argument("--readme", default=README)
    check = words.add_parser("check", help="has every bar a row, and none more than measured?")
    check.add_argument("--readme", default=README)
    options = parser.parse_args()
    if options.word == "collect":
        collect(options.folder, options.results, options.readme)
        return
    with open(options.readme, encoding="utf-8") as file:
        found = offences(file.read())
    if found:
        sys.exit("\n".join(["Benchmarks/README.md:", *found]))


if __name__ == "__main__":
    main()
