#!/usr/bin/env python3
"""Writes the man pages: fob(1), and one for each command, as fob-run(1).

  scripts/manpages.py FOB FOLDER     FOLDER/fob.1, FOLDER/fob-run.1 and so on

FOB is the built program, whose definitions the pages are made of; files and environment are those
of docs/reference/files.md. The date is SOURCE_DATE_EPOCH's, else that of the day."""
import datetime
import os
import re
import sys
import tempfile
import time
from collections.abc import Sequence

from program import (
    Node, Program, exit_table, is_flag_too, meaning, names, parts, shown, subcommands, value)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


# --- roff: what is a command of its language in a text is none

def plain(text: str) -> str:
    """Text in which nothing is read as roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    text = text.replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    # Where a long spec or address may go on in the next line.
    text = re.sub(r"(\S{4}[&|?])(?=\S{4})", r"\1\\:", text)
    return "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)


def bold(text: str) -> str:
    return f"\\fB{plain(text)}\\fR"


def italic(text: str) -> str:
    return f"\\fI{plain(text)}\\fR"


def marked(text: str) -> str:
    """Markdown within a line: code is bold, of a link its words stay, other emphasis is plain."""
    text = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text.replace("\\|", "|"))
    return "".join(bold(part) if index % 2 else plain(part.replace("*", ""))
                   for index, part in enumerate(text.split("`")))


def sentence(text: str) -> str:
    text = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", text)
    return marked(text[0].upper() + text[1:] + ".")


def line(text: str) -> str:
    """At its beginning a full stop would be a command; no line ends with a blank."""
    return ("\\&" if text.startswith(".") else "") + text.strip() + "\n"


def paragraphs(text: str) -> str:
    made = []
    for is_set, part in parts(text):
        made.append("\n".join([".EX", *map(plain, part.split("\n")), ".EE\n"]) if is_set
                    else line(plain(part)))
    return ".PP\n".join(made)


def item(head: str, *texts: str) -> str:
    return ".TP\n" + line(head) + "".join(line(text) for text in texts if text)


# --- Arguments

def placed(argument: Node) -> str:
    name = italic(value(argument))
    return name + (" ..." if argument["isRepeating"] else "")


def head(argument: Node) -> str:
    if argument["kind"] == "positional":
        return placed(argument)
    text = ", ".join(map(bold, names(argument)))
    if argument["kind"] == "option":
        text += " " + (f"[{italic(value(argument))}]" if is_flag_too(argument)
                       else italic(value(argument)))
    return text


def row(argument: Node) -> str:
    text, default, values = meaning(argument)
    if values and not all(v in text for v in values):
        text += " Values: " + ", ".join(values) + "."
    return item(head(argument), plain(re.sub(r"\s+", " ", text)),
                plain(f"Default: {default}.") if default else "",
                "May be repeated." if argument["isRepeating"] and "repeated" not in text else "")


def synopsis(words: list[str], node: Node, inherited: Sequence[Node] = ()) -> str:
    own = shown(node, inherited)
    text = bold(" ".join(words))
    if any(a["kind"] != "positional" for a in own):
        text += " [" + italic("options") + "]"
    for argument in own:
        if argument["kind"] == "positional":
            text += f" [{placed(argument)}]" if argument["isOptional"] else " " + placed(argument)
    return text


def below(words: list[str], node: Node, inherited: Sequence[Node]) -> str:
    """Each subcommand, with its arguments."""
    text = ""
    for sub in subcommands(node):
        own = words + [sub["commandName"]]
        text += f".SS {plain(' '.join(own[1:]))}\n" + line(synopsis(own, sub, inherited))
        text += ".PP\n" + line(plain(sub["abstract"]))
        if sub.get("discussion"):
            text += ".PP\n" + paragraphs(sub["discussion"])
        text += "".join(map(row, shown(sub, inherited)))
        text += below(own, sub, shown(sub, inherited))
    return text


# --- Sections that all pages have

def table(section: str) -> list[tuple[str, str]]:
    """The rows of the first table of a section of docs/reference/files.md."""
    with open(os.path.join(ROOT, "docs", "reference", "files.md"), encoding="utf-8") as file:
        text = re.search(rf"^## {re.escape(section)}\n(.*?)(?=^## |\Z)", file.read(), re.M | re.S)
    rows = re.findall(r"^\| (.*?) \| (.*) \|$", text.group(1) if text else "", re.M)[2:]
    if not rows:
        sys.exit(f"manpages: files.md has no table below {section}")
    return rows


def closing(name: str, tree: Node, others: list[str]) -> str:
    text = ".SH EXIT STATUS\n" + "".join(
        item(bold(code), sentence(said)) for code, said in exit_table(tree))
    if name == "fob":
        text += ".SH ENVIRONMENT\n" + "".join(
            item(marked(what), sentence(said)) for what, said in table("Environment"))
        text += (".SH FILES\nIn the state folder, which is\n.BR \\-\\-state ,\nelse\n"
                 ".BR $STATE_DIRECTORY ,\nelse a folder of the command's name in\n"
                 ".BR $XDG_STATE_HOME/fob :\n") + "".join(
            item(marked(what), sentence(said)) for what, said in table("The state folder"))
        text += ".PP\nOf the units of systemd:\n" + "".join(
            item(marked(what), sentence(said)) for what, said in table("Of the units"))
    text += ".SH SEE ALSO\n" + ",\n".join(
        f"{bold(other)}(1)" for other in sorted(others)) + "\n"
    return text + ".PP\nThe documents in\n.IR /usr/share/doc/fob .\n"


def opening(name: str, abstract: str, version: str, day: str) -> str:
    return (f".\\\" Written by scripts/manpages.py from what fob says of itself.\n"
            f".TH {plain(name.upper())} 1 {day} \"fob {version}\" \"User Commands\"\n.ad l\n"
            f".SH NAME\n{plain(name)} \\- "
            f"{plain(abstract[0].lower() + abstract[1:].rstrip('.'))}\n")


def page(tree: Node, node: Node, version: str, day: str) -> tuple[str, str]:
    commands = subcommands(tree)
    if node is tree:
        name, words = "fob", ["fob"]
        others = ["fob-" + sub["commandName"] for sub in commands]
    else:
        name, words = "fob-" + node["commandName"], ["fob", node["commandName"]]
        others = ["fob"]
    text = opening(name, node["abstract"], version, day) + ".SH SYNOPSIS\n"
    text += line(bold("fob") + " " + italic("command") + " [" + italic("options") + "]"
                 if node is tree else synopsis(words, node) + (
                     " " + italic("subcommand") if subcommands(node) else ""))
    text += ".SH DESCRIPTION\n"
    said = node.get("discussion") or ""
    text += paragraphs(said.partition("Exit codes:")[0] if node is tree
                       else said or node["abstract"])
    if node is tree:
        text += ".SH COMMANDS\n" + "".join(
            item(f"\\fBfob\\-{plain(sub['commandName'])}\\fR(1)", plain(sub["abstract"]))
            for sub in commands)
    own = shown(node)
    text += ".SH OPTIONS\n" + "".join(map(row, own))
    text += item(bold("--version"), "Show the version.") + item(
        bold("-h") + ", " + bold("--help"), "Show help information.")
    if node is not tree and subcommands(node):
        text += ".SH SUBCOMMANDS\n" + below(words, node, own)
    return name, text + closing(name, tree, others)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    day = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%d")
    with tempfile.TemporaryDirectory(prefix="fob-manpages-") as home:
        program = Program(sys.argv[1], home)
        tree, version = program.tree(), program.ask("--version").strip()
    for node in [tree, *subcommands(tree)]:
        name, text = page(tree, node, version, day)
        with open(os.path.join(folder, name + ".1"), "w", encoding="ascii") as file:
            file.write(text)


main()
