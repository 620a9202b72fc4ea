"""JSON schemas as Python types: TypedDicts, since what is answered is JSON, checked by the server.

An object with a shape of its own inside another gets a name made of both."""
import keyword
import textwrap
import typing

Schema = typing.Dict[str, typing.Any]
# Words that many fields share; the others are named after the first field that has them.
NAMES = {
    "NO_EMERGENCY ALERT_COUNTDOWN EMERGENCY_SENDING EMERGENCY_SENT EMERGENCY_SENDING_FAILED"
    " EMERGENCY_ENDED": "AlarmState",
    "good warning error": "Level",
    "observe operate administer feed": "Scope",
}
SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Types:
    """The types of one module, in the order in which Python needs them."""

    def __init__(self, shared: typing.Optional["Types"] = None) -> None:
        self.shared = shared
        self.texts: typing.Dict[str, str] = {}
        self.words: typing.Dict[str, str] = {}
        self.named: typing.Set[str] = set()
        self.borrowed: typing.Set[str] = set()

    def type(self, schema: Schema, name: str) -> str:
        """What stands for a schema in an annotation; name is for what has none."""
        if "$ref" in schema:
            return self.reference(schema["$ref"].rsplit("/", 1)[1])
        for union in ("anyOf", "oneOf"):
            if union in schema:
                return self.union(schema[union], name)
        if "enum" in schema:
            return self.literal([str(word) for word in schema["enum"]], name)
        kind = schema.get("type")
        if kind == "array":
            return f"typing.List[{self.type(schema.get('items', {}), singular(name))}]"
        if kind == "object":
            return self.object(schema, name)
        return SCALARS.get(str(kind), "typing.Any")

    def union(self, parts: typing.List[Schema], name: str) -> str:
        found = [self.type(part, name + str(part.get("properties", {}).get("kind", {})
                                            .get("enum", [""])[0]).title())
                 for part in parts]
        return f"typing.Union[{', '.join(dict.fromkeys(found))}]"

    def literal(self, words: typing.List[str], name: str) -> str:
        quoted = ", ".join(f'"{word}"' for word in words)
        if len(quoted) <= 40 and " ".join(words) not in NAMES:
            return f"typing.Literal[{quoted}]"
        known = self.shared.words if self.shared else {}
        if quoted in known:
            self.borrowed.add(known[quoted])
            return known[quoted]
        if quoted not in self.words:
            self.words[quoted] = NAMES.get(" ".join(words), name)
            body = textwrap.fill(quoted, 96, initial_indent="    ", subsequent_indent="    ")
            self.texts[self.words[quoted]] = (
                f"{self.words[quoted]} = typing.Literal[\n{body}\n]\n")
        return self.words[quoted]

    def reference(self, name: str) -> str:
        if self.shared and name in self.shared.named:
            self.borrowed.add(name)
        return name

    def object(self, schema: Schema, name: str) -> str:
        fields = schema.get("properties")
        if not fields:
            return "typing.Dict[str, typing.Any]"
        required = set(schema.get("required", []))
        lines = [(field, self.type(part, name + field[0].upper() + field[1:]), field in required,
                  part.get("description")) for field, part in fields.items()]
        self.named.add(name)
        self.texts[name] = typed_dict(name, lines)
        return name


Field = typing.Tuple[str, str, bool, typing.Optional[str]]


def typed_dict(name: str, fields: typing.List[Field]) -> str:
    """Python 3.9 has no NotRequired: what may be left out stands in a class of its own."""
    if any(keyword.iskeyword(field) for field, *_ in fields):
        if any(required for _, _, required, _ in fields):
            raise ValueError(f"{name}: a required field beside one that is named as a keyword")
        rows = "".join(f"    {row}\n" for field, kind, _, _ in fields
                       for row in wrapped(f'"{field}": {kind},'))
        return f'{name} = typing.TypedDict("{name}", {{\n{rows}}}, total=False)\n'
    needed = [field for field in fields if field[2]]
    free = [field for field in fields if not field[2]]
    if needed and free:
        base = f"class _{name}(typing.TypedDict):\n{body(needed)}\n\n"
        head = f"class {name}(_{name}, total=False):"
        if len(head) > 100:
            head = f"class {name}(\n    _{name},\n    total=False,\n):"
        return f"{base}{head}\n{body(free)}"
    total = "" if needed else ", total=False"
    return f"class {name}(typing.TypedDict{total}):\n{body(fields) or '    pass' + chr(10)}"


def body(fields: typing.List[Field]) -> str:
    text = ""
    for field, kind, _, said in fields:
        for line in textwrap.wrap(said or "", 94):
            text += f"    # {line}\n"
        text += "".join(f"    {line}\n" for line in wrapped(f"{field}: {kind}"))
    return text


def wrapped(line: str) -> typing.List[str]:
    if len(line) <= 96:
        return [line]
    return textwrap.wrap(line, 92, subsequent_indent="    ", break_long_words=False)


def singular(name: str) -> str:
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name + "Item"
