"""MessageType and the named values that no one message owns."""
from text import SWIFT_MARK, doc

TYPE_DOC = """\
/// The types of protocol version 1 (`firmware-protocol/messages.json`). Types below 80 must be
/// understood or rejected; those above may be ignored.
"""


def raw_type(values, table):
  """As wide as the widest field that holds it."""
  fields = [f for m in table.messages for f in m.fields + m.tail_fields if f.values is values]
  return f"UInt{max(f.size for f in fields) * 8}" if fields else "UInt8"


def enumeration(values, table, indent):
  lines = doc(values.about, indent)
  name = values.swift.split(".")[-1]
  lines.append(f"{indent}public enum {name}: {raw_type(values, table)}, Sendable {{")
  lines += [f"{indent}  case {case} = {number}" for number, case in values.cases.items()]
  return lines + [indent + "}"]


def files(table):
  cases = "".join(f"  case {m.case} = 0x{m.code:02X}\n" for m in table.messages)
  shared = [v for v in table.values.values() if v.swift and "." not in v.swift]
  texts = ["\n".join(enumeration(values, table, "")) + "\n" for values in shared]
  return {
    "MessageType.swift":
      f"{SWIFT_MARK}\n{TYPE_DOC}public enum MessageType: UInt8, Sendable {{\n{cases}}}\n",
    "NamedNumbers.swift": SWIFT_MARK + "\n" + "\n".join(texts),
  }
