"""The built program, asked: what it prints, its commands and their arguments. See reference.py and
manpages.py."""
from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

# A command or an argument, as ArgumentParser tells of it.
Node = dict[str, Any]


class Program:
    """The program in a folder of its own."""

    def __init__(self, path: str, folder: str) -> None:
        self.path, self.folder = os.path.abspath(path), folder
        self.environment = dict(
            os.environ, XDG_RUNTIME_DIR=folder + "/run", XDG_STATE_HOME=folder + "/state",
            NO_COLOR="1")
        os.mkdir(folder + "/run", 0o700)

    def ask(self, *words: str) -> str:
        """What it prints, on either stream."""
        return subprocess.run(
            [self.path, *words], env=self.environment, cwd=self.folder, text=True, timeout=60,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def tree(self) -> Node:
        tree: Node = json.loads(self.ask("--experimental-dump-help"))["command"]
        return tree

    def running(self, *words: str) -> "Running":
        return Running(self, words)


class Running:
    """A command that goes on until the block ends."""

    def __init__(self, program: Program, words: Sequence[str]) -> None:
        self.program, self.words = program, words
        self.log = os.path.join(program.folder, words[0] + ".log")

    def __enter__(self) -> "Running":
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [self.program.path, *self.words], env=self.program.environment,
                cwd=self.program.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def await_words(self, pattern: str) -> str:
        for _ in range(300):
            with open(self.log) as log:
                found = re.search(pattern, log.read())
            if found:
                return found.group(1)
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        with open(self.log) as log:
            sys.exit(f"reference: in vain for {pattern}:\n{log.read()}")


def exit_table(tree: Node) -> list[list[str]]:
    """Code and meaning of each way in which a command ends."""
    said = re.search(r"Exit codes: (.*?)\.\s*$", tree["discussion"], re.S)
    if not said:
        sys.exit("program: fob --help names no exit codes")
    return [re.sub(r"\s+", " ", part).split(" ", 1) for part in said.group(1).split("; ")]


# --- Arguments

def is_flag_too(argument: Node) -> bool:
    """It may stand without its value, and has its default then alone."""
    return bool(
        argument["kind"] == "option" and argument["parsingStrategy"] == "scanningForValue")


def names(argument: Node) -> list[str]:
    """`-h` and `--help`, the shortest first."""
    return sorted(({"long": "--", "short": "-", "longWithSingleDash": "-"}[n["kind"]] + n["name"]
                   for n in argument.get("names", [])), key=len)


def value(argument: Node) -> str:
    name: str = argument["valueName"]
    return name if name == "-" else name.upper().replace("-", "_")


def meaning(argument: Node) -> tuple[str, str, list[str]]:
    """What it does, its default, and its values where they are named."""
    abstract = argument.get("abstract", "")
    default = re.search(r"\s*\(default: (.*)\)\s*$", abstract, re.S)
    text = abstract[:default.start()] if default else abstract
    text = " ".join(filter(None, [text, argument.get("discussion")]))
    standard = default.group(1) if default else argument.get("defaultValue") or ""
    if is_flag_too(argument):
        standard += " if it stands alone"
    return text, standard, argument.get("allValues") or []


def subcommands(node: Node) -> list[Node]:
    """Those that are for a person."""
    return [sub for sub in node.get("subcommands", [])
            if sub["shouldDisplay"] and sub["commandName"] != "help"]


def shown(node: Node, inherited: Sequence[Node] = ()) -> list[Node]:
    """The arguments of a command; `inherited`: those that the command above it tells already."""
    return [a for a in node.get("arguments", []) if a["shouldDisplay"] and a not in inherited
            and a.get("preferredName", {}).get("name") not in ("help", "version")]


def parts(text: str | None) -> Iterator[tuple[bool, str]]:
    """Paragraphs, and whether each is set by columns: such a one stays as it is."""
    for part in (text or "").strip().split("\n\n"):
        if re.search(r"^ {2,}|\S {2,}\S", part, re.M):
            yield True, part.rstrip()
        elif part:
            yield False, re.sub(r"\s+", " ", part)
