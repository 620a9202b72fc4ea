"""The modules of fob.api: one for each part of the API, with its types and its operations."""
import re
import textwrap
import typing

from schemas import SCALARS, Schema, Types

Document = typing.Dict[str, typing.Any]
Operation = typing.Tuple[str, str, typing.Dict[str, typing.Any]]
METHODS = ("get", "post", "put", "patch", "delete")
# What belongs to no part of its own.
SERVICE = {"ack", "healthz", "metrics", "readyz", "openapi.json"}
NOTE = "# Written by generate.py out of the OpenAPI document.\n"


def modules(document: Document) -> typing.Dict[str, str]:
    """Their texts by file name."""
    schemas: typing.Dict[str, Schema] = document["components"]["schemas"]
    parts: typing.Dict[str, typing.List[Operation]] = {}
    for path, operations in sorted(document["paths"].items()):
        for method in METHODS:
            if method in operations and not streams(operations[method]):
                parts.setdefault(part(path), []).append((path, method, operations[method]))
    users: typing.Dict[str, typing.Set[str]] = {}
    for name, operations in parts.items():
        for schema in reached(operations, schemas):
            users.setdefault(schema, set()).add(name)
    users.setdefault("LogLine", set()).update(("log", "events"))
    common = {name for name, by in users.items() if len(by) > 1}
    for name in sorted(common):
        common |= reached(schemas[name], schemas)
    shared = Types()
    for name in ordered(common, schemas):
        shared.type({"type": "object", **schemas[name]}, name)
    texts = {"__init__.py": opening(parts), "shared.py": shared_text(shared)}
    for name, operations in sorted(parts.items()):
        own = {schema for schema, by in users.items() if by == {name}} - common
        texts[name + ".py"] = part_text(name, operations, ordered(own, schemas), schemas, shared)
    return texts


def part(path: str) -> str:
    words = segments(path)
    if words[0] == "check-ins" and (words[1:] or [""])[0] in ("preview", "series"):
        return "check_in_series"
    first = words[0]
    return "service" if first in SERVICE else first.replace("-", "_")


def segments(path: str) -> typing.List[str]:
    return [word for word in path.split("/") if word and word != "v1"]


def streams(operation: typing.Dict[str, typing.Any]) -> bool:
    return any("text/event-stream" in answer.get("content", {})
               for answer in operation["responses"].values())


def reached(value: typing.Any, schemas: typing.Dict[str, Schema]) -> typing.Set[str]:
    """The named schemas that stand in it, or in one of these."""
    found: typing.Set[str] = set()
    ahead = [value]
    while ahead:
        one = ahead.pop()
        if isinstance(one, dict):
            name = str(one.get("$ref", "")).rsplit("/", 1)[-1]
            if name in schemas and name not in found:
                found.add(name)
                ahead.append(schemas[name])
            ahead += one.values()
        elif isinstance(one, (list, tuple)):
            ahead += one
    return found


def ordered(names: typing.Set[str], schemas: typing.Dict[str, Schema]) -> typing.List[str]:
    """Each behind those that it is made of."""
    done: typing.List[str] = []

    def add(name: str) -> None:
        if name not in done:
            for needed in sorted(reached(schemas[name], schemas) & names - {name}):
                add(needed)
            done.append(name)

    for name in sorted(names):
        add(name)
    return done


def opening(parts: typing.Iterable[str]) -> str:
    rows = "".join(f"    {name},\n" for name in sorted([*parts, "shared"]))
    quoted = ", ".join(f'"{name}"' for name in sorted([*parts, "shared"]))
    listed = textwrap.fill(quoted, 96, initial_indent="    ", subsequent_indent="    ")
    return (f'{NOTE}"""Every operation of the HTTP API, by its part: a function makes the request '
            f'that\n`Client.ask` and `AsyncClient.ask` send."""\nfrom . import (\n{rows})\n\n'
            f"__all__ = [\n{listed},\n]\n")


def shared_text(types: Types) -> str:
    return (f'{NOTE}"""Types that several parts of the API have."""\nimport typing\n\n\n'
            + "\n\n".join(types.texts.values()))


def part_text(name: str, operations: typing.List[Operation], own: typing.List[str],
              schemas: typing.Dict[str, Schema], shared: Types) -> str:
    types = Types(shared)
    for schema in own:
        one = schemas[schema]
        if "oneOf" in one:
            kinds = types.union(one["oneOf"], schema)
            inside = ",\n    ".join(kinds[len("typing.Union["):-1].split(", "))
            types.texts[schema] = f"{schema} = typing.Union[\n    {inside},\n]\n"
        else:
            types.type({"type": "object", **one}, schema)
    functions = [function(*operation, types) for operation in operations]
    borrowed = "".join(f"from .shared import {one}\n" for one in sorted(types.borrowed))
    return (f'{NOTE}"""The part {name.replace("_", "-")} of the API."""\nimport typing\n\n'
            f"from ..request import Request\n{borrowed}\n\n"
            + "\n\n".join([*types.texts.values(), *functions]))


def function(path: str, method: str, operation: typing.Dict[str, typing.Any],
             types: Types) -> str:
    title = "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", function_name(
        path, method).replace("_", " ")))
    arguments: typing.List[str] = []
    query: typing.List[str] = []
    headers: typing.List[str] = []
    for one in operation.get("parameters", []):
        kind = SCALARS.get(str(one["schema"].get("type")), "str")
        name = snake(one["name"])
        if one["in"] == "path":
            arguments.append(f"{name}: {kind}")
    body = operation.get("requestBody", {})
    content = body.get("content", {}).get("application/json")
    # An object without fields says nothing: it is not sent.
    content = content if content and content["schema"].get("properties") != {} else None
    if content:
        kind = types.type(content["schema"], title + "Body")
        free = not body.get("required")
        arguments.append(f"body: typing.Optional[{kind}] = None" if free else f"body: {kind}")
    free_ones = []
    for one in operation.get("parameters", []):
        name = snake(one["name"])
        if one["in"] == "path":
            continue
        kind = SCALARS.get(str(one["schema"].get("type")), "str")
        free_ones.append(f"{name}: {kind}" if one.get("required")
                         else f"{name}: typing.Optional[{kind}] = None")
        (query if one["in"] == "query" else headers).append(f'("{one["name"]}", {name})')
    if free_ones:
        arguments += ["*", *free_ones]
    answer, form = answered(operation, types, title + "Answer")
    return written(path, method, operation, arguments, answer, form, query, headers,
                   bool(content))


def answered(operation: typing.Dict[str, typing.Any], types: Types,
             name: str) -> typing.Tuple[str, str]:
    success = min(status for status in operation["responses"] if status.startswith("2"))
    content = operation["responses"][success].get("content", {})
    if "application/json" in content:
        return types.type(content["application/json"]["schema"], name), "json"
    if not content:
        return "None", "none"
    return ("str", "text") if any(one.startswith("text/") for one in content) else (
        "bytes", "bytes")


def written(path: str, method: str, operation: typing.Dict[str, typing.Any],
            arguments: typing.List[str], answer: str, form: str, query: typing.List[str],
            headers: typing.List[str], has_body: bool) -> str:
    rows = "".join(f"    {one},\n" for one in arguments)
    said = "\n".join(textwrap.wrap(f"{operation.get('summary', '')}.", 89,
                                   subsequent_indent="    "))
    place = re.sub(r"\{([\w-]+)\}", lambda one: "{" + snake(one[1]) + "}", path)
    names = re.findall(r"\{(\w+)\}", place)
    spelt = f'path("{place}", {", ".join(f"{one}={one}" for one in names)})' if names else (
        f'"{place}"')
    spelt = "Request." + spelt if names else spelt
    options = ["body=body"] if has_body else []
    options += [f"{key}=({', '.join(some)},)" for key, some in
                (("query", query), ("headers", headers)) if some]
    parts = [f'"{method.upper()}"', spelt, f'"{form}"', *options]
    call = "".join(f"        {line}\n" for part in parts for line in fitted(part))
    head = f"def {function_name(path, method)}(\n{rows})" if rows else (
        f"def {function_name(path, method)}()")
    return (f'{head} -> "Request[{answer}]":\n    """{said}"""\n'
            f"    return Request(\n{call}    )\n")


def fitted(part: str) -> typing.List[str]:
    return textwrap.wrap(part + ",", 88, subsequent_indent="    ", break_long_words=False,
                         break_on_hyphens=False)


def function_name(path: str, method: str) -> str:
    words = segments(path)
    rest = words if part(path) == "service" else words[1:]
    named = ["by_" + snake(word[1:-1]) if word.startswith("{") else snake(word) for word in rest]
    return "_".join([method, *named])


def snake(name: str) -> str:
    spaced = re.sub(r"([a-z])([A-Z])", r"\1_\2", name)
    return re.sub(r"\W", "_", spaced).lower()
