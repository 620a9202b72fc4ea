#!/usr/bin/env python3
"""Writes what of docs/reference the program can tell: commands, exit codes, API, conformance cases.

  scripts/reference.py FOB           writes these documents
  scripts/reference.py FOB --check   fails where one is not current, or where a table that is
                                     written by hand has other names than the program

FOB is the built program. It runs in a folder of its own, and no process stays behind."""
import json
import os
import re
import sys
import tempfile
import textwrap
import urllib.request

from program import (
    Program, exit_table, is_flag_too, meaning, names, parts, shown, subcommands, value)
from reference_names import differences, table_names

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REFERENCE = os.path.join(ROOT, "docs", "reference")
NOTE = "<!-- Written by scripts/reference.py; `make reference` brings it up to date. -->\n\n"
SCOPES = ["none", "observe", "operate", "administer", "feed"]
METHODS = ["get", "post", "put", "patch", "delete"]


# --- commands.md

def cell(text):
    return re.sub(r"\s+", " ", text or "").replace("|", "\\|").replace("<", "&lt;").strip()


def spelled(argument):
    """`-h`, `--state STATE`, `FILE…`."""
    text = ", ".join(names(argument))
    if argument["kind"] == "positional":
        text = value(argument)
    elif argument["kind"] == "option":
        text += f" [{value(argument)}]" if is_flag_too(argument) else " " + value(argument)
    return f"`{text}`" + (" …" if argument["isRepeating"] else "")


def row(argument):
    text, default, values = meaning(argument)
    if values:
        text += " Values: " + ", ".join(f"`{v}`" for v in values) + "."
    if not argument["isOptional"] and not default:
        text += " Required."
    return f"| {spelled(argument)} | {cell(text)} | {cell(default)} |\n"


def prose(text):
    """Paragraphs wrapped anew; what is set by columns stays as it is."""
    return "\n\n".join(
        f"```text\n{part}\n```" if is_set else
        "\n".join(textwrap.wrap(part, 100, break_long_words=False, break_on_hyphens=False))
        .replace("<", "&lt;") for is_set, part in parts(text))


def command(node, before=(), inherited=()):
    """`inherited`: arguments that the command above it tells already."""
    words = before + (node["commandName"],)
    name = " ".join(words)
    text = f"## `{name}`\n\n{node['abstract']}\n\n"
    if node.get("discussion") and len(words) > 1:
        text += prose(node["discussion"]) + "\n\n"
    own = shown(node, inherited)
    if own:
        text += ("| argument | what it does | default |\n| --- | --- | --- |\n"
                 + "".join(map(row, own)) + "\n")
    for sub in subcommands(node):
        text += command(sub, words, own)
    return text


def commands(program):
    tree = program.tree()
    rows = "".join(f"| [`fob {sub['commandName']}`](#fob-{sub['commandName']}) | "
                   f"{cell(sub['abstract'])} |\n"
                   for sub in subcommands(tree))
    return ("# Commands\n\n" + NOTE
            + "Each command takes `-h`, `--help` and `--version`. How a command ends stands in\n"
            "[exit codes](exit-codes.md); what the requests of `fob ctl` do, in\n"
            "[control requests](control-requests.md). An argument of `fob ctl` itself belongs to\n"
            "each of its requests, too.\n\n"
            "| command | what it does |\n| --- | --- |\n" + rows + "\n"
            + "".join(command(sub, ("fob",)) for sub in subcommands(tree))).rstrip() + "\n"


# --- exit-codes.md

def exit_codes(program):
    rows = "".join(f"| {code} | {cell(text)} |\n" for code, text in exit_table(program.tree()))
    return ("# Exit codes\n\n" + NOTE
            + "Every command ends with one of these, after sysexits(3).\n\n"
            "| code | meaning |\n| --- | --- |\n" + rows
            + "\nA scenario whose file is wrong ends with 64, too: nothing of it was played.\n")


# --- api.md

def type_of(schema, depth=0):
    if "$ref" in schema:
        return schema["$ref"].split("/")[-1]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return " or ".join(type_of(part, depth) for part in schema[choice])
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    kind = schema.get("type", "any")
    if kind == "array":
        return "list of " + type_of(schema.get("items", {}), depth)
    if kind == "object" and schema.get("properties") and depth < 2:
        return fields(schema, depth + 1)
    if "minimum" in schema and "maximum" in schema:
        kind += f" {schema['minimum']:,} to {schema['maximum']:,}"
    if "description" in schema:
        kind += f" ({schema['description']})"
    return kind


def fields(schema, depth=0):
    needed = schema.get("required", [])
    return "{" + ", ".join(
        name + ("" if name in needed else "?") + ": " + type_of(value, depth)
        for name, value in schema.get("properties", {}).items()) + "}"


def body(operation):
    for schema in (part["schema"] for part in
                   operation.get("requestBody", {}).get("content", {}).values()):
        if "$ref" in schema:
            return type_of(schema)
        if schema.get("properties"):
            return fields(schema)
    return ""


def scope(operation):
    found = re.search(r"Needs scope (\w+)(, by a token of the whole core)?",
                      operation.get("description", ""))
    if not found:
        return "none"
    return found.group(1) + (", the core's token" if found.group(2) else "")


def api(program):
    with open(program.folder + "/pin", "w") as pin:
        os.fchmod(pin.fileno(), 0o600)
        pin.write("2468\n")
    with program.running("core", "--bench", "--pin-file", "pin", "--listen",
                         "127.0.0.1:0") as core:
        address = core.await_words(r"the API is at (http://\S+)")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(address + "/v1/openapi.json", timeout=20) as answer:
            document = json.load(answer)
    text = ("# HTTP API\n\n" + NOTE
            + "A running core serves this as OpenAPI " + document["openapi"]
            + " at `/v1/openapi.json`.\n\n")
    text += prose(document["info"]["description"]) + "\n\n"
    text += ("How to ask it stands in [how to use the API](../how-to/api.md), what its errors\n"
             "mean in [problems](api-problems.md). `?` marks a field that may be left out.\n\n")
    tags = {}
    for path, methods in sorted(document["paths"].items()):
        for method in METHODS:
            if method in methods:
                tags.setdefault(methods[method]["tags"][0], []).append(
                    (method.upper(), path, methods[method]))
    for tag in sorted(tags):
        text += (f"## {tag}\n\n| operation | what it does | scope | parameters | body | answers |\n"
                 "| --- | --- | --- | --- | --- | --- |\n")
        for method, path, operation in tags[tag]:
            parameters = ", ".join(
                f"`{p['name']}`" for p in operation.get("parameters", []))
            answers = " ".join(sorted(operation["responses"]))
            text += (f"| `{method} {path}` | {cell(operation['summary'])} | {scope(operation)} | "
                     f"{parameters} | {cell(body(operation))} | {answers} |\n")
        text += "\n"
    text += "## Schemas\n\n| schema | fields |\n| --- | --- |\n"
    for name, schema in sorted(document["components"]["schemas"].items()):
        shape = fields(schema, 1) if "properties" in schema else type_of(schema)
        text += f"| `{name}` | {cell(shape)} |\n"
    return text


# --- conformance.md

def conformance(program):
    chapters = {}
    for line in program.ask("conform", "--list").splitlines():
        found = re.fullmatch(r"(\w+)/(\S+): (.*?) \[([\d., ]+)\](?: \((.*)\))?", line)
        if not found:
            sys.exit(f"reference: fob conform --list says {line}")
        chapters.setdefault(found.group(1), []).append(found.groups()[1:])
    text = ("# Conformance cases\n\n" + NOTE
            + "`fob conform` plays these cases. The section is that of\n"
            "[PROTOCOL.md](../../firmware-protocol/PROTOCOL.md) which the case proves. A case\n"
            "that needs what the device cannot be made to do is told as not tested.\n\n")
    for chapter, cases in chapters.items():
        text += f"## {chapter}\n\n| case | what it proves | section | needs |\n"
        text += "| --- | --- | --- | --- |\n"
        for name, what, section, notes in cases:
            notes = cell(re.sub(r"^needs ", "", notes or ""))
            text += f"| `{name}` | {cell(what)} | {section} | {notes} |\n"
        text += "\n"
    return text.rstrip() + "\n"


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    if len(words) != 1:
        sys.exit(__doc__)
    faults = []
    with tempfile.TemporaryDirectory(prefix="fob-reference-") as folder:
        program = Program(words[0], folder)
        made = {"commands.md": commands(program), "exit-codes.md": exit_codes(program),
                "api.md": api(program), "conformance.md": conformance(program)}
        if "--check" in sys.argv:
            for document, heading, names in differences(program):
                written = table_names(document, heading)
                for word, where in ((names - written, "lacks"), (written - names, "has more:")):
                    if word:
                        faults.append(f"{document}, {heading}: {where} {', '.join(sorted(word))}")
    for name, text in made.items():
        path = os.path.join(REFERENCE, name)
        written = open(path).read() if os.path.exists(path) else ""
        if written == text:
            continue
        if "--check" in sys.argv:
            faults.append(f"{name} is not what the program says: make reference")
        else:
            with open(path, "w") as file:
                file.write(text)
            print(os.path.relpath(path, ROOT))
    if faults:
        sys.exit("\n".join(faults))


main()
