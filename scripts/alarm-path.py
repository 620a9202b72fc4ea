#!/usr/bin/env python3
"""The functions that a press has entered, by what llvm-cov has exported of it: a table of
docs/explanation/alarm-path.md.

The first export ends where the commit thread is woken, the second where the light is told. A
function begins at its brace: initial values are none. Closures count with what they stand in, and a
function of one line is read where it is called: its file counts, it does not. The line in memory
stands for read and write, and is left out."""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(ROOT, "Sources") + "/"
DOCUMENT = os.path.join(ROOT, "docs", "explanation", "alarm-path.md")
HEAD = "| file in Sources/ | functions, in its order | lines of them | lines |"
# The line in memory, with its buffer.
OUTSIDE = re.compile("/SerialIO/(Lines/|Reading/PendingBytes)")
# The order of reading: inward, back out to the effects, then what all of it stands on. A name is
# that of a file, one that ends in / a folder, of which the rest comes there.
ORDER = """
Bridge/DeviceSession AlertCore/HostSession WireProtocol/Host/HostLink
WireProtocol/Frame/FrameDecoder WireProtocol/Frame/WholeFrame WireProtocol/Frame/ReceivedFrame
WireProtocol/Host/DeviceMessage WireProtocol/Messages/Generated/EventRecord
WireProtocol/Host/TimeSync+Fit Bridge/CoreRunner AlertCore/AlertCore AlertCore/Press/HeardEvent
AlertCore/Commit/KnownEvents AlertCore/LineRateLimits AlertCore/Press/PressAge
AlertCore/Press/BootEvidence AlertCore/PressDetector AlertCore/Press/ AlertCore/AlertEngine
AlertCore/Incident/ AlertCore/Notify/ AlertCore/Commit/ AlertCore/AlertCore+Lights
AlertCore/CoreOutput AlertCore/ Bridge/BoundedQueue Bridge/DeviceRegistry
WireProtocol/Host/Indication WireProtocol/Frame/WireFrame WireProtocol/Frame/FrameBody
WireProtocol/Messages/Generated/Indicate
WireProtocol/ Bridge/ Control/ SerialIO/ FobBase/
""".split()


def entered(path):
    """The functions of Sources that were entered, each as (first line, last line), by file."""
    with open(path) as file:
        functions = json.load(file)["data"][0]["functions"]
    spans = {}
    for function in functions:
        name = function["filenames"][0]
        first, first_column, last, last_column = function["regions"][0][:4]
        if not function["count"] or not name.startswith(SOURCES) or OUTSIDE.search(name):
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


def rows(files, total):
    made = []
    count = own = whole = 0
    for path in sorted(files, key=lambda path: (place(path), path)):
        lines = source(SOURCES + path)
        long = [(first, last) for first, last in files[path] if last > first]
        names = list(dict.fromkeys(name(lines, first) for first, _ in long))
        taken = sum(last - first + 1 for first, last in long)
        made.append((path.removesuffix(".swift"), ", ".join(f"`{n}`" for n in names) or "—",
                     taken or "", len(lines)))
        count, own, whole = count + len(long), own + taken, whole + len(lines)
    made.append((f"**{total}: {len(files)} files**", f"**{count} functions**", f"**{own:,}**",
                 f"**{whole:,}**"))
    return "".join("| %s | %s | %s | %s |\n" % row for row in made)


def later(to_effects, to_light):
    left = {path: [span for span in spans if span not in to_effects.get(path, [])]
            for path, spans in to_light.items()}
    return {path: spans for path, spans in left.items() if spans}


def table(to_effects, to_light):
    """In two parts; a file of the first stands in the second with what is entered later."""
    return (f"{HEAD}\n| --- | --- | ---: | ---: |\n" + rows(to_effects, "to the effects")
            + rows(later(to_effects, to_light), "on to the light"))


def read(files):
    """Each function with the comment above it, under the name of its file."""
    for path in sorted(files, key=lambda path: (place(path), path)):
        lines = source(SOURCES + path)
        for first, last in files[path]:
            if last == first:
                continue
            # Its head may take several lines, and its comment stands above that.
            top = first - 1
            while not re.search(r"\b(?:func|init|var|subscript)\b", lines[top]):
                top -= 1
            while lines[top - 1].lstrip().startswith(("///", "@", "//")):
                top -= 1
            print(f"--- {path}:{top + 1}")
            print("\n".join(lines[top:last]))


def main():
    if "--read" in sys.argv:
        to_effects, to_light = entered(sys.argv[1]), entered(sys.argv[2])
        read(to_effects)
        print("\n--- and on to the light\n")
        return read(later(to_effects, to_light))
    made = table(entered(sys.argv[1]), entered(sys.argv[2]))
    with open(DOCUMENT) as file:
        document = file.read()
    start = document.index(HEAD)
    written = document[start:document.index("\n\n", start) + 1]
    if "--check" in sys.argv:
        if written != made:
            sys.exit("alarm-path: docs/explanation/alarm-path.md has another table: "
                     "run scripts/alarm-path.sh")
    elif written != made:
        with open(DOCUMENT, "w") as file:
            file.write(document.replace(written, made))
    print("\n".join(line for line in made.splitlines() if line.startswith("| **")))


main()
