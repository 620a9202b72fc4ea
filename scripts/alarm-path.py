#!/usr/bin/env python3
"""The functions that a press has entered, by what llvm-cov has exported of it: DESIGN.md's table.

A function begins at its brace: initial values are none. Closures count with what they stand in, and
a function of one line is read where it is called: its file counts, it does not."""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(ROOT, "Sources") + "/"
DESIGN = os.path.join(ROOT, "DESIGN.md")
HEAD = "| file in Sources/ | functions, in its order | lines of them | lines |"
# The order of reading: inward, back out to the effects, then what all of it stands on. A name is
# that of a file, one that ends in / a folder, of which the rest comes there.
ORDER = """
SerialIO/Lines/MemoryLine Bridge/DeviceSession Bridge/DeviceSession+Line AlertCore/HostSession
AlertCore/HostOutput WireProtocol/Host/HostLink WireProtocol/Frame/FrameDecoder
WireProtocol/Frame/WholeFrame WireProtocol/Frame/ReceivedFrame WireProtocol/Host/DeviceMessage
WireProtocol/Messages/Generated/EventRecord WireProtocol/Messages/Generated/EventIdentity
WireProtocol/Messages/Generated/EventPosition WireProtocol/Host/TimeSync Bridge/CoreRunner
AlertCore/AlertCore AlertCore/Press/HeardEvent AlertCore/Custody/KnownEvents AlertCore/LinePaces
AlertCore/Press/PressAge AlertCore/Press/BootEvidence AlertCore/PressDetector AlertCore/Press/
AlertCore/AlertEngine AlertCore/Incident/ AlertCore/Notify/ AlertCore/Custody/
AlertCore/AlertCore+Lights AlertCore/CoreOutput AlertCore/ Bridge/DeviceRegistry Bridge/Mailbox
WireProtocol/Host/Indication WireProtocol/Frame/WireFrame WireProtocol/Frame/FrameBody
WireProtocol/Messages/Generated/Indicate SerialIO/Reading/ WireProtocol/ Bridge/ Control/ SerialIO/
FobBase/
""".split()


def entered(path):
    """The functions of Sources that were entered, each as (first line, last line), by file."""
    with open(path) as file:
        functions = json.load(file)["data"][0]["functions"]
    spans = {}
    for function in functions:
        name = function["filenames"][0]
        first, first_column, last, last_column = function["regions"][0][:4]
        if not function["count"] or not name.startswith(SOURCES):
            continue
        if source(name)[first - 1][first_column - 1] == "{":
            spans.setdefault(name[len(SOURCES):], set()).add(
                (first, first_column, last, last_column))
    return {name: outermost(found) for name, found in spans.items()}


def outermost(spans):
    kept = []
    for span in sorted(spans, key=lambda span: (span[:2], (-span[2], -span[3]))):
        if not kept or span[:2] >= kept[-1][2:]:
            kept.append(span)
    return [(first, last) for first, _, last, _ in kept]


def source(path):
    with open(path) as file:
        return file.read().splitlines()


def name(lines, first):
    """Of the function whose brace stands on that line."""
    for line in reversed(lines[:first]):
        found = re.search(r"\b(?:func (\S+?) ?[(<]|(init)\b|(?:var|subscript) ?(\w*))", line)
        if found:
            return next(word for word in found.groups() if word) or "subscript"
    return "?"


def place(path):
    name = path.removesuffix(".swift")
    if name in ORDER:
        return ORDER.index(name)
    return next(at for at, front in enumerate(ORDER)
                if front.endswith("/") and path.startswith(front))


def table(files):
    rows = []
    count = own = whole = 0
    for path in sorted(files, key=lambda path: (place(path), path)):
        lines = source(SOURCES + path)
        long = [(first, last) for first, last in files[path] if last > first]
        names = list(dict.fromkeys(name(lines, first) for first, _ in long))
        taken = sum(last - first + 1 for first, last in long)
        rows.append((path.removesuffix(".swift"), ", ".join(f"`{n}`" for n in names) or "—",
                     taken or "", len(lines)))
        count, own, whole = count + len(long), own + taken, whole + len(lines)
    rows.append((f"**{len(files)} files**", f"**{count} functions**", f"**{own:,}**",
                 f"**{whole:,}**"))
    return "\n".join([HEAD, "| --- | --- | ---: | ---: |"]
                     + ["| %s | %s | %s | %s |" % row for row in rows]) + "\n"


def main():
    made = table(entered(sys.argv[1]))
    with open(DESIGN) as file:
        design = file.read()
    start = design.index(HEAD)
    written = design[start:design.index("\n\n", start) + 1]
    if "--check" in sys.argv:
        if written != made:
            sys.exit("alarm-path: DESIGN.md has another table: run scripts/alarm-path.sh")
    elif written != made:
        with open(DESIGN, "w") as file:
            file.write(design.replace(written, made))
    print(made.splitlines()[-1])


main()
