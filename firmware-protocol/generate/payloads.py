"""The payload structs of WireProtocol, a file a message."""
from messages import camel
from text import SWIFT_MARK, doc, swift_list
from values import enumeration

INTEGERS = {"u8": "UInt8", "u16": "UInt16", "u32": "UInt32", "u64": "UInt64", "i32": "Int32"}


class Property:
  """A field as a struct holds it: how it is declared, read from `r` and written to `body`."""

  def __init__(self, field, owner):
    row = field.row
    self.field, self.owner = field, owner
    split = row.get("swift") if isinstance(row.get("swift"), dict) else {}
    self.name = camel(field.name) if split else row.get("swift", camel(field.name))
    self.split = split
    self.unknown = row.get("unknown", "refused")
    self.is_named = field.values is not None and self.unknown != "kept"
    self.is_flags = "bit_docs" in row
    self.words = row.get("doc", row.get("about", ""))
    if self.is_named and self.unknown == "nil":
      self.words += "; nil where this version has no name for the number"
    self.declared = [(name, kind, None) for name, kind in split.items()] or [self._declared()]

  def docs(self, name):
    """The comment of one of its properties."""
    return doc(self.words[name] if self.split else self.words, "  ")

  @property
  def is_refused(self):
    return self.is_named and self.unknown == "refused"

  @property
  def kind(self):
    """The type in Swift, without its `?`."""
    if self.is_named:
      return self.field.values.swift.removeprefix(self.owner + ".")
    if self.is_flags:
      return "Flags"
    return self.field.row.get("wraps") or INTEGERS[self.field.type]

  def _declared(self):
    if self.is_named and self.unknown not in ("refused", "nil"):
      start = "." + self.unknown
    elif self.is_flags:
      start = ".none"
    else:
      start = f"{self.kind}(rawValue: 0)" if "wraps" in self.field.row else "0"
    kind = self.kind + ("?" if self.is_named and self.unknown == "nil" else "")
    return self.name, kind, self.field.row.get("start", start)

  def read(self):
    name, kind = self.name, self.kind
    if self.split:
      lines = [f"let {name} = r.next(UInt8.self)"]
      return lines + [f"{n} = {name} & 1 != 0" if k == "Bool" else f"{n} = {k}({name}: {name})"
                      for n, k in self.split.items()]
    if self.is_refused:
      lines = [f"guard let {name} = {kind}(rawValue: r.next()) else {{ return nil }}"]
      if "most" in self.field.row:
        last = camel(self.field.row["most"])
        lines = [f"guard let {name} = {kind}(rawValue: r.next()),",
                 f"  {name}.rawValue <= {kind}.{last}.rawValue", "else { return nil }"]
      return lines + [f"self.{name} = {name}"]
    if self.field.type.endswith("]"):
      return [f"{name} = {kind}(&r)"]
    if not (self.is_named or self.is_flags or "wraps" in self.field.row):
      return [f"{name} = r.next()"]
    otherwise = f" ?? .{self.unknown}" if self.is_named and self.unknown != "nil" else ""
    return [f"{name} = {kind}(rawValue: r.next()){otherwise}"]

  def write(self):
    name = self.name
    if self.split:
      parts = [f"({n} ? 1 : 0)" if k == "Bool" else f"{n}.{name}" for n, k in self.split.items()]
      return f"body.append({' | '.join(parts)})" if len(parts) > 1 else \
        f"body.append(UInt8{parts[0]})"
    if self.field.type.endswith("]"):
      return f"{name}.write(to: &body)"
    if self.is_named and self.unknown == "nil":
      return f"body.append({name}?.rawValue ?? .max)"
    is_plain = not (self.is_named or self.is_flags or "wraps" in self.field.row)
    return f"body.append({name})" if is_plain else f"body.append({name}.rawValue)"


class Part:
  """Neighbouring fields that are a struct of their own within a payload."""

  def __init__(self, name, swift):
    self.field, self.name, self.is_refused = None, name, False
    self.kind, self.words = swift["struct"], swift["doc"]
    self.declared = [(name, self.kind, f"{self.kind}()" if swift["init"] == [] else None)]

  def docs(self, _):
    return doc(self.words, "  ")

  def read(self):
    return [f"{self.name} = {self.kind}(&r)"]

  def write(self):
    return f"{self.name}.write(to: &body)"


def properties(fields, swift):
  """Those of a struct: its fields, and its parts each in the place of their first field."""
  found = []
  for field in fields:
    if field.part not in swift.get("parts", {}):
      found.append(Property(field, swift["struct"]))
    elif all(p.name != field.part for p in found):
      found.append(Part(field.part, swift["parts"][field.part]))
  return found


def initializer(all_properties, swift, indent):
  """What it takes: each name with its label, type and default; and the names that only start."""
  kinds = {name: kind for p in all_properties for name, kind, _ in p.declared}
  wanted = swift.get("init", list(kinds))
  if wanted == "by hand":
    return [], set()
  taken, parameters = [], []
  for words in wanted:
    label, _, default = words.partition(" = ")
    name = label.split()[-1]
    taken.append(name)
    parameters.append(f"{label}: {kinds[name]}" + (f" = {default}" if default else ""))
  if not taken:
    words = "All fields start with the values above."
    return [""] + doc(words, indent) + [f"{indent}public init() {{}}"], set(kinds)
  body = [f"{indent}  self.{name} = {name}" for name in taken]
  head = swift_list(parameters, indent, "public init(", ") {")
  starting = set(kinds) - set(taken)
  words = "The other fields start with the values above." if starting else \
    "Takes all fields, in the order of the wire."
  return [""] + doc(words, indent) + head + body + [indent + "}"], starting


def declarations(all_properties, starting):
  lines = []
  for each in all_properties:
    for name, kind, start in each.declared:
      lines += each.docs(name)
      if name not in starting:
        lines.append(f"  public var {name}: {kind}")
      elif start.startswith((f"{kind}(", f"{kind}.")):
        lines.append(f"  public var {name} = {start}")
      else:
        lines.append(f"  public var {name}: {kind} = {start}")
  return lines


def flags(field):
  lines = [""] + doc(f"The bits of `{field.name}`", "  ")
  lines += ["  public struct Flags: BitFlags {"] + doc("as it is on the wire", "    ")
  lines += ["    public var rawValue: UInt8"] + doc("keeps bits without a name, too", "    ")
  lines += ["    public init(rawValue: UInt8) { self.rawValue = rawValue }"]
  for bit, (name, words) in enumerate(zip(field.bits, field.row["bit_docs"], strict=True)):
    lines += doc(words, "    ")
    lines += [f"    public static let {camel(name)} = Flags(rawValue: {1 << bit})"]
  return lines + ["  }"]


def nested(fields, swift, table):
  """The types that belong to a struct: its named values, its set of bits."""
  lines = []
  for field in fields:
    if field.values and field.values.swift and field.values.swift.startswith(swift["struct"] + "."):
      lines += [""] + enumeration(field.values, table, "  ")
    if "bit_docs" in field.row:
      lines += flags(field)
  return lines


def struct(words, conforms, constants, fields, swift, table, codec):
  mine = properties(fields, swift)
  # A tail's fields stand behind the others, and start empty.
  init, starting = initializer(mine, swift, "  ")
  lines = doc(words, "") + [f"public struct {swift['struct']}: {conforms} {{"]
  inner = [f"  {line}" for line in constants] + nested(fields, swift, table)
  lines += inner + ([""] if inner else []) + declarations(mine, starting) + init
  return "\n".join(lines + [""] + codec(mine) + ["}"]) + "\n"


def indented(lines, indent):
  return [indent + line for line in lines]


def writing(access, lines, words=""):
  return [""] + doc(words, "  ") + [f"  {access}func write(to body: inout FrameBody) {{"] + lines \
    + ["  }"]


def refusals(mine, tail):
  """When a payload cannot be read, as a sentence."""
  names = [f"`{p.name}`" for p in mine if p.is_refused]
  reasons = [f"{' or '.join(names)} holds a number that is not allowed"] if names else []
  reasons += [f"the flag {tail} is set and fewer than `maxSize` bytes are there"] if tail else []
  return "nil where " + ", or ".join(reasons) if reasons else "never nil"


def payload(message, table):
  swift = message.swift
  constants = [f"/// {message.code:02X} on the wire.",
               f"public static let type = MessageType.{message.case}",
               "/// Bytes of the payload, as far as this version knows it.",
               f"public static let size = {message.size}"]
  optional = message.tail_fields if "if" in message.tail else []
  if optional:
    constants[2] = f"/// Bytes of the payload without the tail that {message.tail['if']} brings."
    constants += ["/// Bytes of the payload with that tail.",
                  f"public static let maxSize = {message.size + message.tail_size}"]
  if any(f.name == "table_hash" for f in message.fields):
    number = f"{table.hash:08X}"
    constants += ["/// Stands for the wire fields of the table: section 5.1 of PROTOCOL.md.",
                  f"public static let tableHash: UInt32 = 0x{number[:4]}_{number[4:]}"]

  def codec(mine):
    fixed = [p for p in mine if p.field is None or p.field not in optional]
    tail = [p for p in mine if p not in fixed]
    reads = [line for p in fixed for line in p.read()]
    writes = [p.write() for p in fixed]
    if tail:
      condition = f"if flags.contains(.{camel(message.tail['if'])}) {{"
      reads += [condition, "  guard bytes.count >= Self.maxSize else { return nil }"]
      reads += indented([line for p in tail for line in p.read()], "  ") + ["}"]
      writes += [condition] + indented([p.write() for p in tail], "  ") + ["}"]
    words = doc("- Parameter bytes: `size` or more; those behind known fields are ignored", "  ")
    words += doc(f"- Returns: {refusals(mine, message.tail['if'] if tail else '')}", "  ")
    lasts = "Appends `size` bytes" + (f", `maxSize` with {message.tail['if']}" if tail else "")
    return words + ["  public init?(_ bytes: UnsafeRawBufferPointer) {",
                    "    var r = ByteReader(bytes)"] \
      + indented(reads, "    ") + ["  }"] \
      + writing("public ", indented(writes, "    "), f"{lasts}, integers in little endian")

  words = f"{message.name} ({message.code:02X}): {message.about}"
  conforms = f"Payload, {swift.get('is', 'Equatable')}"
  return struct(words, conforms, constants, message.fields + optional, swift, table, codec)


def checksum(mine, fields):
  """Of a part that no version changes: both ends know it by that."""
  size = sum(f.size for f in fields)
  adds = [p.write().replace("body.append", "crc.add") for p in mine]
  return ["", f"  /// CRC-32C of its {size} bytes.", "  public var crc: UInt32 {",
          "    var crc = CRC32C()"] + indented(adds, "    ") + ["    return crc.value", "  }"]


def part(message, name, table):
  swift = message.swift["parts"][name]
  fields = [f for f in message.fields if f.part == name]

  def codec(mine):
    reads = indented([line for p in mine for line in p.read()], "    ")
    return ["  @inline(__always)", "  init(_ r: inout ByteReader) {"] + reads + ["  }"] \
      + writing("", indented([p.write() for p in mine], "    ")) \
      + (checksum(mine, fields) if all(f.row.get("frozen") for f in fields) else [])

  return struct(
    swift["about"], f"{swift.get('is', 'Equatable')}, Sendable", [], fields, swift, table,
    codec)


def entry(message, table):
  """An entry is read to its end also where it is refused: the next one stands behind it."""
  swift = {"struct": message.tail["each"]}

  def codec(mine):
    reads = []
    for each in mine:
      reads.append(f"let {each.name} = {each.kind}(rawValue: r.next())" if each.is_refused
                   else each.read()[0])
    for each in mine:
      if each.is_refused:
        reads += [f"guard let {each.name} else {{ return nil }}", f"self.{each.name} = {each.name}"]
    return ["  init?(_ r: inout ByteReader) {"] + indented(reads, "    ") + ["  }"] \
      + writing("public ", indented([p.write() for p in mine], "    "),
                "Appends `size` bytes, integers in little endian")

  constants = ["/// Bytes of an entry.", f"public static let size = {message.tail_size}"]
  words = f"One entry of {message.name} ({message.code:02X})"
  return struct(
    words, "Equatable, Sendable", constants, message.tail_fields, swift, table, codec)


def files(table):
  """Each message with the parts and entries that it alone has."""
  made = {}
  for message in table.messages:
    structs = [payload(message, table)] if "struct" in message.swift else []
    structs += [part(message, name, table) for name in message.swift.get("parts", {})]
    if "each" in message.tail:
      structs.append(entry(message, table))
    if structs:
      name = message.swift.get("struct") or message.tail["each"]
      needs_base = any(f.row.get("wraps") in ("DeviceID", "EventNumber")
                       for f in message.fields + message.tail_fields)
      head = [SWIFT_MARK] + (["public import FobBase\n"] if needs_base else [])
      made[f"{name}.swift"] = "\n".join(head + structs)
  return made


def list_for_tests(table):
  rows = "".join(f"  {m.swift['struct']}.self,\n" for m in table.messages if "struct" in m.swift)
  return (f"{SWIFT_MARK}\nimport WireProtocol\n\n/// Every type of payload, in the order of the "
          f"table.\nlet allPayloads: [any Payload.Type] = [\n{rows}]\n")
