"""The names that tables of docs/reference written by hand must have, as the program or its sources
have them today. See reference.py."""
import os
import re
import socket
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def table_names(document, heading):
    """The first words in code of the first cells of the table below that heading."""
    with open(os.path.join(ROOT, "docs", "reference", document)) as file:
        text = file.read()
    section = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.M | re.S)
    if not section:
        sys.exit(f"reference: {document} has no section {heading}")
    return {word for word in re.findall(r"^\| `([^`\s]+)[^|]*\|", section.group(1), re.M)}


def listed(text):
    return {word for word in re.split(r"[,\s]+", text.strip(" .")) if word}


def source(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def control_names(program):
    with program.running("emulate"):
        program.ask("ctl", "wait", "ready")
        with socket.socket(socket.AF_UNIX) as keychain:
            keychain.connect(program.folder + "/run/fob/keychain.sock")
            keychain.sendall(b'{"do":"nonsense"}\n')
            keychain_said = keychain.makefile().readline()
    words = re.search(r"it must be one of ([\w, ]+)", keychain_said)
    if not words:
        sys.exit(f"reference: the keychain says {keychain_said}")
    requests = re.search(r"static let requests = \[(.*?)\]",
                         source("Sources/Bridge/BridgeControl.swift"), re.S).group(1)
    keychain, bridge = listed(words.group(1)), set(re.findall(r'"(\w+)"', requests))
    # `watch` is a keychain's `subscribe`.
    subcommands = {sub["commandName"] for command in program.tree()["subcommands"]
                   if command["commandName"] == "ctl" for sub in command["subcommands"]} - {"watch"}
    if subcommands != keychain | bridge:
        sys.exit("reference: not both a request and a subcommand of fob ctl: "
                 + ", ".join(sorted(subcommands ^ (keychain | bridge))))
    return keychain, bridge


def sink_fields(program):
    """Of each type the fields that the core says it has."""
    said = {}
    for kind in listed(refusal(program, "none").split("is none of ")[1]):
        said[kind] = listed(refusal(program, kind).split("it has ")[1])
    return said


def refusal(program, kind):
    with open(program.folder + "/sinks.yaml", "w") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(f"sinks:\n  - {{type: {kind}, nonsense: 1}}\n")
    return program.ask("core", "--state", "sinks", "--config", "sinks.yaml").strip()


def folder_text(path):
    whole = os.path.join(ROOT, path)
    return "\n".join(source(os.path.join(whole, name)) for name in sorted(os.listdir(whole))
                     if name.endswith(".swift"))


def scenario_names():
    text = folder_text("Sources/fob/Scenario")
    action = text[text.index("func action("):text.index("func question(")]

    def strings(name):
        return set(re.findall(
            r'"(\w+)"', re.search(rf"static let {name} = \[(.*?)\]", text, re.S).group(1)))

    stages = set(re.findall(r'"(\w+)":', re.search(
        r"static let stages = \[(.*?)\]", text, re.S).group(1)))
    return (set(re.findall(r'case "(\w+)":', action)), strings("subjects"),
            strings("readings") | stages)


def event_names(path):
    """The raw values of the enum Name that the file with it has."""
    body = next(found.group(1) for name in sorted(os.listdir(os.path.join(ROOT, path)))
                if name.endswith(".swift") for found in [re.search(
                    r"public enum Name: String.*?\{\n(.*?)\n  \}",
                    source(os.path.join(path, name)), re.S)] if found)
    names = set()
    for line in body.splitlines():
        if line.strip().startswith("case "):
            for part in line.strip()[5:].split(","):
                raw = re.search(r'"(\w+)"', part)
                names.add(raw.group(1) if raw else part.strip())
    return names


def environment_names():
    found = set()
    for folder, _, files in os.walk(os.path.join(ROOT, "Sources")):
        for name in files:
            if name.endswith(".swift"):
                text = source(os.path.join(folder, name))
                found |= set(re.findall(
                    r'(?:getenv\(|environment\[|home\(|number\()"([A-Z_]+)"', text))
    return found


def differences(program):
    keychain, bridge = control_names(program)
    yield "control-requests.md", "Keychain", keychain
    yield "control-requests.md", "Bridge and core", bridge
    for kind, names in sorted(sink_fields(program).items()):
        yield "configuration.md", kind, names
    steps, subjects, readings = scenario_names()
    yield "scenarios.md", "Steps", steps
    yield "scenarios.md", "Subjects", subjects
    yield "scenarios.md", "Readings", readings
    yield "scenarios.md", "Audit events", event_names("Sources/AlertCore")
    yield "scenarios.md", "Keychain events", event_names("Sources/Emulator/Keychain")
    yield "files.md", "Environment", environment_names()
