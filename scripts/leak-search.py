#!/usr/bin/env python3
"""Looks for the words of a review wherever a core may have left them (R82, R86).

    scripts/leak-search.py --fob FOB

A keychain presses, the alarm is told, ended and looked back on: each answer has a word that nothing
else has. Then the words are looked for in every file of the state folder, in what the programs
print, messages, the capture of the line, the log, the event stream, the incident's document, the
metrics and the status. They may stand in the database alone, and of its tables in that of the
companions. Then the account is erased, and the core is started anew: they may stand nowhere any
more, its memory included.
"""

import argparse
import contextlib
import json
import pathlib
import re
import secrets
import sqlite3
import sys
import tempfile

from fob_rig import Lines
from owner_rig import PIN, Owner, Programs


def alarm(folder):
    """One that was told, ended by PIN and resumed from."""
    keychain, bridge = Lines(folder / "keychain.sock"), Lines(folder / "bridge.sock")
    event = keychain.ask("press")["event"]
    keychain.ask("wait", **{"for": "acked", "event": event, "within_ms": 60_000})
    bridge.ask("disarm", pin=PIN)
    bridge.ask("resume")
    incident = bridge.ask("incidents")["rows"][-1]["id"]
    keychain.close()
    bridge.close()
    return incident


def review(owner, incident, words):
    """Each answer twice, so that its first text stands in the versions alone."""
    made = json.loads(owner.ask("POST", "/v1/reviews", {"incident": incident}))["id"]
    for number, word in enumerate(words):
        step = number % 4 + 1
        owner.ask("PUT", f"/v1/reviews/{made}/steps/{step}",
                  {"text": f"It was {word}.", "version": number // 4})
    owner.ask("POST", f"/v1/reviews/{made}/complete", {})


def memory(process):
    """What a running process has in memory that it can write to."""
    parts = []
    with open(f"/proc/{process.pid}/maps", encoding="ascii") as maps, \
            open(f"/proc/{process.pid}/mem", "rb", buffering=0) as file:
        for line in maps:
            span = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
            if not span:
                continue
            start, end = (int(part, 16) for part in span.groups())
            with contextlib.suppress(OSError, ValueError, OverflowError):
                file.seek(start)
                parts.append(file.read(end - start))
    return parts


def places(words, named):
    """The names of what has one of the words."""
    sought = [word.encode() for word in words]
    return sorted({name for name, data in named if any(word in data for word in sought)})


def files(folder):
    return [(str(path.relative_to(folder)), path.read_bytes())
            for path in sorted(folder.rglob("*")) if path.is_file()]


def answers(owner, incident):
    paths = ["/v1/log", f"/v1/incidents/{incident}", "/metrics", "/v1/status", "/v1/openapi.json"]
    return [(path, owner.ask("GET", path)) for path in paths]


def tables(folder):
    """The rows of the database, by table and kind."""
    with contextlib.closing(sqlite3.connect(folder / "state/fob.sqlite")) as database:
        names = [name for (name,) in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = []
        for name in names:
            for row in database.execute(f"SELECT * FROM {name}"):
                kind = f" {row[1]}" if name == "companion" else ""
                found.append((name + kind, repr(row).encode()))
        return found


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: the words are in {found}, not in {wanted}")
    print(f"{what}: {', '.join(found) if found else 'nowhere'}")


def search(fob, folder):
    words = [f"zaun{secrets.token_hex(6)}" for _ in range(8)]
    programs = Programs(fob, folder)
    with contextlib.ExitStack() as stack:
        stack.callback(programs.end_all)
        programs.start_keychain()
        programs.start_bridge()
        programs.follow("capture", "tap")
        programs.follow("stream", "subscribe")
        programs.await_link()
        owner = Owner(programs)
        incident = alarm(folder)
        review(owner, incident, words)
        database = ["state/fob.sqlite", "state/fob.sqlite-wal", "state/fob.sqlite.backup"]
        found = places(words, files(folder))
        expect("files beside the database", [name for name in found if name not in database], [])
        expect("answers of the API", places(words, answers(owner, incident)), [])
        expect("rows", places(words, tables(folder)), ["companion review"])
        programs.end("bridge")
        programs.start_bridge()
        if not places(words, [("memory", part) for part in memory(programs.running["bridge"])]):
            sys.exit("the search of memory finds nothing, not even what is there")
        owner.ask("DELETE", "/v1/account", {"pin": PIN, "confirm": "delete"})
        expect("files after erasure", places(words, files(folder)), [])
        programs.end("bridge")
        process = programs.start_bridge()
        expect("files after a restart", places(words, files(folder)), [])
        expect("memory after a restart",
               places(words, [("memory", part) for part in memory(process)]), [])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fob", required=True, help="the binary")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        search(options.fob, pathlib.Path(folder))


if __name__ == "__main__":
    main()
