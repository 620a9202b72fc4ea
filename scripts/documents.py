#!/usr/bin/env python3
"""Plays the shell blocks of the documents, and holds the documents to each other.

  scripts/documents.py --check             links, lengths, needs, quotations; plays nothing
  scripts/documents.py --list              the documents that have shell blocks
  scripts/documents.py FOB DOCUMENT ...    plays each block of these, in order
  scripts/documents.py --with NAME FOB DOCUMENT ...    those, too, that need NAME, which is here

A block is fenced by ```sh. Blocks of one document share a shell and a folder, in which the
repository's own files are links, and end at the first command that fails. Behind sh may stand:

  terminal=NAME   a terminal of its own, in which the block goes on beside those that follow it; a
                  further block of that name presses Ctrl-C there first
  needs=NAME      what is not everywhere: the block is not played, and --check finds each of its
                  commands in the tests or the script that run them, in NEEDS below; or the script
                  plays it by --with NAME

A block of another language may say file=PATH: it is a part of that file, as it stands there.

A ```text block right behind has lines that come in this order, among others; `…` stands for
anything, and so do a time at the beginning and the number of a frame."""
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What a block may need, and what runs its commands: stages of `make test` nearly all of them.
NEEDS = {
    "make": ["Makefile"], "cluster": ["scripts/cluster-tests.sh"],
    "usb": ["Tests/FobTests/Guest", "Tests/FobTests/USBCommandTests.swift", "Tests/FobTests/VHCI",
            "Tests/FobTests/RunningFob.swift", "scripts/usb-guest"],
    "qemu": ["Tests/FobTests/QEMU", "Makefile"], "microbit": ["Tests"], "postgresql": ["Tests"],
    "udev": ["Tests/FobTests/Udev", "Tests/FobTests/Doctor", "scripts/udev.sh", "Makefile"],
    "package": ["Makefile", "scripts/deb-test-inside.sh", "Tests/InstallTests", "containers"],
    "frameworks": ["scripts/client-tests.sh"], "receiver": ["Tests/FobTests/DocumentsTests.swift"],
    "minutes": ["Tests/FobTests/BenchCompareTests.swift", "scripts/bench-compare.sh"],
}
# A document may have so many lines.
LENGTHS = {"README.md": 200, "docs/explanation/architecture.md": 200}
PATIENCE = 150  # seconds that a document may take


class Block:
    def __init__(self, document, line, words, text):
        self.document, self.line, self.text = document, line, text
        fields = dict(word.split("=", 1) for word in words)
        self.terminal, self.need = fields.pop("terminal", None), fields.pop("needs", None)
        self.expected = []
        if fields:
            sys.exit(f"{self.place}: {', '.join(fields)} is not known here")

    @property
    def place(self):
        return f"{self.document}:{self.line}"

    @property
    def goes_on(self):
        """Behind its end it may still say something."""
        return bool(self.terminal or re.search(r"(?<!&)&(\s|$)(?!&)", self.text))

    @property
    def commands(self):
        joined = re.sub(r"\\\n\s*", " ", self.text)
        for line in joined.splitlines():
            line = re.sub(r"(^|\s)#.*", "", line).strip()
            if line:
                yield line


def documents():
    found = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
    for folder, _, names in os.walk(os.path.join(ROOT, "docs")):
        found += [os.path.relpath(os.path.join(folder, name), ROOT)
                  for name in sorted(names) if name.endswith(".md")]
    return [path for path in found if os.path.exists(os.path.join(ROOT, path))]


def played():
    """Those whose blocks are run: how to do something, step by step."""
    return [path for path in documents()
            if path == "README.md" or path.startswith(("docs/tutorials/", "docs/how-to/"))]


def read(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def blocks(path):
    found = []
    fence = opened = None
    behind = None  # The sh block right above, with nothing but empty lines between.
    for number, line in enumerate(read(path).splitlines(), 1):
        mark = re.match(r"\s*```(.*)$", line)
        if fence is None and mark:
            fence, opened, body = mark.group(1).split(), number, []
            indent = len(line) - len(line.lstrip())
        elif fence is not None and mark and not mark.group(1).strip():
            kind = fence[0] if fence else ""
            if kind == "sh":
                behind = Block(path, opened, fence[1:], "\n".join(body) + "\n")
                found.append(behind)
            elif kind == "text" and behind is not None:
                behind.expected = body
                behind = None
            else:
                behind = None
            fence = None
        elif fence is not None:
            body.append(line[indent:])
        elif line.strip():
            behind = None
    return found


# --- Playing

def pattern(line):
    words = re.sub(r"\s+", " ", line.strip())
    words = re.sub(r"#\d+", "#…", re.sub(r"^\d+\.\d+ ", "… ", words))
    return re.compile(r"\s+".join(
        ".*".join(re.escape(part) for part in word.split("…")) for word in words.split(" ")))


def missing(expected, output):
    """The first line that is not there, behind those before it."""
    lines = iter(output.splitlines())
    for line in expected:
        if line.strip() in ("", "…"):
            continue
        wanted = pattern(line)
        if not any(wanted.search(given) for given in lines):
            return line
    return None


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return str(taken.getsockname()[1])


class Play:
    """One document, in a folder and a process group of its own."""

    def __init__(self, fob, document, have):
        self.document = document
        self.blocks = [block for block in blocks(document) if block.need in (None, have)]
        self.folder = tempfile.mkdtemp(prefix="fob-doc-")
        self.ports = {port: free_port() for port in ("8787", "8788", "9787", "20408")}
        os.mkdir(self.path("bin"))
        os.symlink(os.path.abspath(fob), self.path("bin/fob"))
        os.mkdir(self.path("home"), 0o700)
        os.mkdir(self.path("run"), 0o700)
        os.mkdir(self.path("here"))
        for name in os.listdir(ROOT):
            if not name.startswith("."):
                os.symlink(os.path.join(ROOT, name), self.path("here/" + name))
        self.environment = dict(
            os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"],
            HOME=self.path("home"), XDG_RUNTIME_DIR=self.path("run"),
            XDG_STATE_HOME=self.path("home/state"), TMPDIR=self.path("home"), NO_COLOR="1",
            NO_PROXY="*", no_proxy="*", PYTHONDONTWRITEBYTECODE="1", FOB=self.path("bin/fob"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def here(self, text):
        for port, other in self.ports.items():
            text = text.replace(":" + port, ":" + other).replace(" " + port, " " + other)
        return text.replace("/tmp/fob-cluster", os.environ.get("CLUSTER", "/tmp/fob-cluster"))

    def script(self):
        lines = ["set -euo pipefail"]
        terminals = {}
        for index, block in enumerate(self.blocks):
            with open(self.path(f"{index}.sh"), "w") as file:
                file.write("set -euo pipefail\n" + self.here(block.text))
            if block.terminal:
                name = "terminal_" + re.sub(r"\W", "_", block.terminal)
                if name in terminals:
                    lines.append(f"kill -INT -- -${name}; wait ${name} || true")
                # Ctrl-C reaches it, as the foreground of a terminal.
                lines.append(f"setsid env --default-signal=INT bash {self.path(f'{index}.sh')} "
                             f">{self.path(f'{index}.log')} 2>&1 </dev/null &\n{name}=$!\n"
                             f"echo ${name} >>{self.path('pids')}")
                terminals[name] = index
            else:
                lines += [f"echo @@begin {index}", self.here(block.text), f"echo @@end {index}"]
        return "\n".join(lines) + "\n"

    def run(self):
        with open(self.path("script"), "w") as file:
            file.write(self.script())
        open(self.path("pids"), "w").close()
        log = open(self.path("log"), "w")
        shell = subprocess.Popen(
            ["bash", self.path("script")], cwd=self.path("here"), env=self.environment,
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            try:
                status = shell.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                status = f"nothing within {PATIENCE} s"
            return self.faults(status)
        finally:
            self.end(shell)
            shutil.rmtree(self.folder, ignore_errors=True)

    def output(self, index):
        if self.blocks[index].terminal:
            path = self.path(f"{index}.log")
            return open(path, errors="replace").read() if os.path.exists(path) else ""
        text = open(self.path("log"), errors="replace").read()
        begin = text.find(f"@@begin {index}\n")
        end = text.find(f"@@end {index}\n")
        later = self.blocks[index].goes_on or end < 0
        return "" if begin < 0 else text[begin:] if later else text[begin:end]

    def faults(self, status):
        faults = []
        for index, block in enumerate(self.blocks):
            wanted = [self.here(line) for line in block.expected]
            for _ in range(100 if status == 0 and block.goes_on else 1):
                lacks = missing(wanted, self.output(index))
                if lacks is None:
                    break
                time.sleep(0.1)
            if lacks is not None:
                faults.append(f"{block.place}: in vain for\n  {lacks}\nin\n"
                              f"{self.output(index)[-2000:]}")
        if status != 0:
            text = open(self.path("log"), errors="replace").read()
            begun = re.findall(r"@@begin (\d+)\n", text)
            place = self.blocks[int(begun[-1])].place if begun else self.document
            logs = "".join(f"--- {self.blocks[i].place}\n{self.output(i)}"
                           for i in range(len(self.blocks)) if self.blocks[i].terminal)
            faults.insert(0, f"{place}: ends with {status}\n{text[-3000:]}\n{logs[-3000:]}")
        return faults

    def end(self, shell):
        groups = [shell.pid] + [int(pid) for pid in open(self.path("pids")).read().split()]
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            deadline = time.time() + 4
            for group in groups:
                try:
                    os.killpg(group, sign)
                except ProcessLookupError:
                    pass
            while time.time() < deadline and any(map(is_alive, groups)):
                shell.poll()
                time.sleep(0.05)


def is_alive(group):
    try:
        os.killpg(group, 0)
        return True
    except ProcessLookupError:
        return False


# --- Checks that play nothing

def text_of(paths):
    parts = []
    for path in paths:
        whole = os.path.join(ROOT, path)
        if os.path.isfile(whole):
            parts.append(read(path))
        for folder, _, names in os.walk(whole):
            parts += [read(os.path.join(folder, name)) for name in names]
    return "\n".join(parts)


def uncovered(command, text):
    """Of a command's words, other than values and paths, those that the text does not have."""
    first = command.split()[0]
    if first == "make":
        targets = [word for word in shlex.split(command)[1:] if "=" not in word]
        return [word for word in targets if not re.search(rf"^{word}:", text, re.M)]
    words = re.split(r"[\s|&;<>\"']+", command)
    words = [word for word in words if re.fullmatch(r"(--)?[a-z][a-z-]+", word)
             and word not in ("sudo", "fob")]
    return [word for word in words
            if not re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text)]


def needs():
    makefile = read("Makefile")
    for path in played():
        for block in blocks(path):
            if block.need is None:
                continue
            if block.need not in NEEDS:
                yield f"{block.place}: needs={block.need} is none of {', '.join(NEEDS)}"
                continue
            text = text_of(NEEDS[block.need])
            if f"--with {block.need}" in text:
                continue
            for command in block.commands:
                lacks = uncovered(
                    command, makefile if command.startswith("make ") else text)
                if lacks:
                    yield (f"{block.place}: {' '.join(lacks)} of `{command}` stands in none of "
                           f"{', '.join(NEEDS[block.need])}")


def anchors(path):
    found = set()
    fenced = False
    for line in read(path).splitlines():
        fenced ^= line.lstrip().startswith("```")
        heading = re.match(r"#+ (.*)", line)
        if heading and not fenced:
            text = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading.group(1)).lower()
            found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


def links(path):
    text = re.sub(r"```.*?```", "", read(path), flags=re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            yield target


def broken():
    for path in documents():
        for target in links(path):
            file, _, anchor = target.partition("#")
            whole = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if not os.path.exists(os.path.join(ROOT, whole)):
                yield f"{path}: there is no {target}"
            elif anchor and whole.endswith(".md") and anchor not in anchors(whole):
                yield f"{path}: {whole} has no heading for #{anchor}"


def unreached():
    """Documents to which no way leads from README."""
    reached, ahead = {"README.md"}, ["README.md"]
    while ahead:
        path = ahead.pop()
        for target in links(path):
            file = target.partition("#")[0]
            whole = os.path.normpath(os.path.join(os.path.dirname(path), file))
            if file and whole.endswith(".md") and whole not in reached \
                    and os.path.exists(os.path.join(ROOT, whole)):
                reached.add(whole)
                ahead.append(whole)
    return [f"{path}: README leads there by no way" for path in documents()
            if path not in reached]


def unlike():
    """Blocks that are no part of the file that they name."""
    for path in documents():
        for words, body in re.findall(r"^```(\w+ file=\S+)\n(.*?)^```$", read(path), re.M | re.S):
            file = words.split("file=")[1]
            if body not in read(file):
                yield f"{path}: a block is no part of {file}"


def long():
    for path, limit in LENGTHS.items():
        count = len(read(path).splitlines())
        if count > limit:
            yield f"{path} has {count} lines; {limit} are its limit"


def main():
    words, have = sys.argv[1:], None
    if words[:1] == ["--with"]:
        have, words = words[1], words[2:]
    if words == ["--list"]:
        print("\n".join(path for path in played() if blocks(path)))
    elif words == ["--check"]:
        faults = [*needs(), *broken(), *unreached(), *unlike(), *long()]
        if faults:
            sys.exit("\n".join(faults))
    elif len(words) >= 2 and not words[0].startswith("--"):
        faults = [fault for path in words[1:] for fault in Play(words[0], path, have).run()]
        if faults:
            sys.exit("\n".join(faults))
        for path in words[1:]:
            print(f"{path}: {sum(one.need in (None, have) for one in blocks(path))} blocks")
    else:
        sys.exit(__doc__)


main()
