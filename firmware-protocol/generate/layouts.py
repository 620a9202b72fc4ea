"""Capture's layouts of the messages, and the names of their values."""
from messages import camel
from text import SWIFT_MARK, swift_list

SHOWN = {"hex": ".hex", "percent": ".percent", "version": ".version", "time": ".civilTime",
         "event number": ".eventNumber", "secret": ".secret", "message type": ".messageType",
         "trace argument": ".traceArgument"}


def names(key):
  return f".names(NamedValues.{camel(key)})"


def quoted(words):
  return "[" + ", ".join(f'"{word}"' for word in words) + "]"


def presentation(row):
  if "values" in row:
    return names(row["values"])
  if "values_by" in row:
    (field, lists), = row["values_by"].items()
    cases = ", ".join(f"{number}: {names(key)}" for number, key in lists.items())
    return f'.by("{field}", [{cases}], else: .number)'
  if "bits" in row:
    return f".bits({quoted(row['bits'])})"
  if "unit" in row:
    unit, places = row["unit"], row.get("places")
    plain = f'.unit("{unit}")' if places is None else f'.decimal({places}, "{unit}")'
    plain = ".seconds" if (unit, places) == ("s", 6) else plain
  else:
    plain = SHOWN.get(row.get("shown"), ".number")
  if "except" in row:
    (value, word), = row["except"].items()
    value = value if len(value) < 8 else f"{value[:-4]}_{value[-4:]}"
    return f'.unless({value.replace("f", "F")}, "{word}", {plain})'
  return plain


def field(each, indent):
  kind = f".bytes({each.size})" if each.type.endswith("]") else f".{each.type}"
  items = [f'"{each.name}"', kind, presentation(each.row)]
  items = items[:2] if items[2] == ".number" else items
  line = f"{indent}Field({', '.join(items)}),"
  if len(line) <= 100:
    return [line]
  # As swift format parts it.
  kind, _, rest = items[2].partition("(")
  name, _, cases = rest.partition(", ")
  cases, _, otherwise = cases.rpartition(", ")
  return [f"{indent}Field(", f"{indent}  {items[0]}, {items[1]},", f"{indent}  {kind}(",
          f"{indent}    {name}, {cases},", f"{indent}    {otherwise}),"]


def field_list(fields, indent):
  """A line each, with a comma behind the last of several."""
  lines = [line for each in fields for line in field(each, indent)]
  if len(lines) == 1:
    lines[0] = lines[0].removesuffix(",")
  return lines


def rest(message):
  """What follows the fields, as lines that end the list of them."""
  if message.texts:
    texts = ", ".join(f'Field("{name}", .rest, .text)' for name in message.texts)
    return [f"    rest: .texts([{texts}]),"]
  if not message.tail:
    return []
  if "each" in message.tail:
    return ["    rest: .entries(["] + field_list(message.tail_fields, "      ") + ["    ]),"]
  return ["    rest: .ifFlag(", f"      {1 << message.tail_bit},", "      ["] \
    + field_list(message.tail_fields, "        ") + ["      ]),"]


def telling(name, label, is_hidden):
  label = f', "{label}"' if label else ""
  return f'Telling("{name}"{label}{", hiddenAtZero: true" if is_hidden else ""})'


def layout(message):
  lines = [f"  static let {message.case} = MessageLayout("]
  if message.fields:
    lines += [f'    .{message.case}, "{message.name}",', "    ["]
    lines += field_list(message.fields, "      ") + ["    ],"]
  else:
    lines += [f'    .{message.case}, "{message.name}", [],']
  told = [telling(*each) for each in message.told]
  return lines + rest(message) + swift_list(told, "    ", "telling: [", "])")


def files(table):
  lines = [SWIFT_MARK + "\nimport WireProtocol\n\nextension MessageLayout {"]
  cases = [message.case for message in table.messages]
  lines += ["  /// In the order of the table."]
  lines += swift_list(cases, "  ", "static let table = [", "]")
  for message in table.messages:
    lines += [""] + layout(message)
  named = [SWIFT_MARK + "\n/// The values that have names, by their number.\nenum NamedValues {"]
  for values in table.values.values():
    items = ["nil"] * min(values.names) + [f'"{name}"' for name in values.names.values()]
    named += swift_list(items, "  ", f"static let {camel(values.key)}: [String?] = [", "]")
  return {"MessageLayout+Table.swift": "\n".join(lines + ["}"]) + "\n",
          "NamedValues.swift": "\n".join(named + ["}"]) + "\n"}
