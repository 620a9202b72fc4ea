#!/usr/bin/env python3
"""Reads CHANGELOG.md, and the version, which stands in Sources/Bridge/AlertBridge.swift.

  scripts/changelog.py --version     prints the version
  scripts/changelog.py --check       fails where something that has the version says another one
  scripts/changelog.py --debian      prints the changelog of a Debian package
  scripts/changelog.py --notes       prints the newest version's section, for a release"""
import datetime
import email.utils
import os
import re
import sys
import textwrap
from collections.abc import Iterator

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAINTAINER = "The fob developers <fob@example.org>"


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def version() -> str:
    said = re.search(r"let software = SoftwareVersion\(major: (\d+), minor: (\d+), patch: (\d+)\)",
                     read("Sources/Bridge/AlertBridge.swift"))
    if not said:
        sys.exit("changelog: AlertBridge.swift has no version")
    return ".".join(said.groups())


def sections() -> list[tuple[str, str, str]]:
    """Version, day and text of each released version, newest first."""
    text = re.sub(r"^\[[^\]]+\]: .*$", "", read("CHANGELOG.md"), flags=re.M)
    found = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)\n(.*?)(?=^## |\Z)", text,
                       re.M | re.S)
    if not found:
        sys.exit("changelog: CHANGELOG.md has no version")
    return found


def faults(versions: list[str], own: str, client: str) -> Iterator[str]:
    """What does not agree. Versions: of CHANGELOG.md; client: of clients/python."""
    if versions[0] != own:
        yield f"CHANGELOG.md begins with {versions[0]}, and fob is {own}"
    numbers = [[int(part) for part in one.split(".")] for one in versions]
    if any(later <= earlier for later, earlier in zip(numbers, numbers[1:])):
        yield "CHANGELOG.md has its versions out of order"
    if client != own:
        yield f"clients/python/pyproject.toml says {client}, and fob is {own}"


def entries(text: str) -> Iterator[str]:
    """The items of a section, each of one line, without Markdown."""
    for item in re.findall(r"^- (.*?)(?=^- |^#|^$|\Z)", text, re.M | re.S):
        yield re.sub(r"\s+", " ", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", item).replace("`", "")).strip()


def debian() -> str:
    made = []
    for name, day, text in sections():
        noon = datetime.datetime.fromisoformat(day + "T12:00:00+00:00")
        items = "\n".join(textwrap.fill(
            entry, 78, initial_indent="  * ", subsequent_indent="    ", break_long_words=False,
            break_on_hyphens=False) for entry in entries(text))
        made.append(f"fob ({name}) unstable; urgency=medium\n\n{items}\n\n"
                    f" -- {MAINTAINER}  {email.utils.format_datetime(noon)}\n")
    return "\n".join(made)


def main() -> None:
    if sys.argv[1:] == ["--version"]:
        print(version())
    elif sys.argv[1:] == ["--check"]:
        client = re.findall(r'^version = "(.*)"$', read("clients/python/pyproject.toml"), re.M)
        found = list(faults([one for one, _, _ in sections()], version(), " ".join(client)))
        if found:
            sys.exit("\n".join(found))
    elif sys.argv[1:] == ["--debian"]:
        print(debian(), end="")
    elif sys.argv[1:] == ["--notes"]:
        print(sections()[0][2].strip())
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
