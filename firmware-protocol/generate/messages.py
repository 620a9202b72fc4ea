"""messages.json: what it may hold, and the hash of its wire fields.

A message: type, name, direction, repeatable, about, see (a section of PROTOCOL.md), fields, and
  tail    what follows the fields: `if` a flag of theirs is set, or `each` to the end of the payload
  texts   the names of texts that fill the rest, parted by zero bytes
  told    its line for people: names of fields, `name=label`, and a `?` where zero is not told
  swift   case of MessageType; struct; is (Hashable); init: "by hand", or what it takes, as
          `name`, `label name` or `name = 1`, and all else starts with a value; parts: structs of
          neighbouring fields, each with its `doc` as a property
A field: name, type, about, frozen (the same in every major version), and
  how it is shown     shown, unit with places, except (a word for one value), values (a list of
                      names), most (the last of them that it takes), values_by (the list depends on
                      another field), bits
  what it is in Swift swift (its name; of bits that are several properties, name and type of each),
                      wraps, part, start, and unknown: a number without a name is refused, kept,
                      nil, or taken for the case of that name; doc: its comment, where about says
                      too little for a reader of Swift (of several properties, one for each name);
                      bit_docs: the comments of its bits; without them it stays a number
"""
import json
import re

MESSAGE = {"type", "name", "direction", "repeatable", "about", "see", "fields", "tail", "texts",
           "told", "swift"}
FIELD = {"name", "type", "about", "frozen", "shown", "unit", "places", "except", "values", "most",
         "values_by", "bits", "bit_docs", "swift", "wraps", "part", "start", "unknown", "doc"}
SIZES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i32": 4}


def crc32c(data):
  crc = 0xFFFFFFFF
  for byte in data:
    crc ^= byte
    for _ in range(8):
      crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
  return crc ^ 0xFFFFFFFF


def camel(words):
  """`rx_damaged`, `power-on` and `AT_BOOT` as names in Swift."""
  first, *others = re.split(r"[ _-]", words.lower())
  return first + "".join(w.upper() if w in ("id", "crc") else w.capitalize() for w in others)


class Field:
  def __init__(self, row, table):
    assert set(row) <= FIELD, f"{row['name']}: {set(row) - FIELD}"
    self.row, self.name, self.type = row, row["name"], row["type"]
    self.part, self.bits = row.get("part"), row.get("bits")
    self.values = table.values[row["values"]] if "values" in row else None
    self.size = int(self.type[3:-1]) if self.type.endswith("]") else SIZES[self.type]

  @property
  def names(self):
    """The names of its values by number, as far as it takes them."""
    most = self.row.get("most", self.values.names[max(self.values.names)])
    last = next(number for number, name in self.values.names.items() if name == most)
    return {number: name for number, name in self.values.names.items() if number <= last}

  @property
  def meaning(self):
    """What it holds, for people: its words, else the names of its values or bits."""
    words = self.row.get("about", "")
    if not words and self.values:
      words = ", ".join(f"{number} {name}" for number, name in self.names.items())
    if not words and self.bits:
      words = "bit " + ", ".join(f"{bit} {name}" for bit, name in enumerate(self.bits))
    return "; ".join(filter(None, ["frozen" if self.row.get("frozen") else "", words]))


class Values:
  """A list of named values, by number."""

  def __init__(self, key, row):
    self.key, self.swift, self.about = key, row.get("swift"), row.get("about")
    self.names = {int(number): name for number, name in row["names"].items()}
    assert list(self.names) == list(range(min(self.names), max(self.names) + 1)), key
    self.cases = {number: row.get("cases", {}).get(str(number), camel(name))
                  for number, name in self.names.items()}


class Message:
  def __init__(self, row, table):
    assert set(row) <= MESSAGE, f"{row['name']}: {set(row) - MESSAGE}"
    self.row, self.name, self.about = row, row["name"], row["about"]
    self.direction, self.code = row["direction"], int(row["type"], 16)
    self.fields = [Field(f, table) for f in row["fields"]]
    self.tail = row.get("tail", {})
    self.tail_fields = [Field(f, table) for f in self.tail.get("fields", [])]
    self.texts = row.get("texts", [])
    self.swift = row.get("swift", {})
    self.case = self.swift.get("case", camel(self.name))
    self.size = sum(f.size for f in self.fields)
    self.tail_size = sum(f.size for f in self.tail_fields)
    if "if" in self.tail:
      self.tail_bit = next(f for f in self.fields if f.name == "flags").bits.index(self.tail["if"])

  @property
  def told(self):
    """The fields of its line: name, label, whether zero is left out."""
    for word in self.row["told"].split():
      name, _, label = word.rstrip("?").partition("=")
      yield name, label.replace("_", " "), word.endswith("?")

  @property
  def wire(self):
    """What two ends must agree on, in one line."""
    fields = [f"{f.name}:{f.type}" for f in self.fields]
    if self.tail:
      fields.append(f"if:flags.{self.tail_bit}" if "if" in self.tail else "each")
      fields += [f"{f.name}:{f.type}" for f in self.tail_fields]
    fields += [f"{name}:text" for name in self.texts]
    return " ".join([f"{self.code:02x}", self.name, self.direction] + fields) + "\n"


class Table:
  def __init__(self, rows):
    self.values = {key: Values(key, row) for key, row in rows["values"].items()}
    self.messages = [Message(row, self) for row in rows["messages"]]
    crc = f"{crc32c(''.join(m.wire for m in self.messages).encode()):08x}"
    self.hash = int(rows["table_hashes"].get(crc, crc), 16)

  @classmethod
  def load(cls, path):
    return cls(json.loads(path.read_text()))
