"""The table of the Wireshark dissector, between the marks of fob_messages.lua."""
from text import MARK, between, wrapped_items

BEGIN, END = f"-- {MARK}", "-- The end of what is generated."
SHOWN = {"time": "civil_time", "trace argument": "trace_argument, shown_states, reset_causes"}


def names(by_number):
  """The items of a list of Lua by number: `[0]="none", "weak"`; one without a key counts on."""
  assert min(by_number) in (0, 1)
  parts = [("[0]=" if number == 0 else "") + f'"{name}"' for number, name in by_number.items()]
  return parts


def presentation(row):
  """How a field is shown: a function of fob_messages.lua, and what it takes."""
  if "values" in row:
    return f"names, {row['values']}"
  if "values_by" in row:
    (field, lists), = row["values_by"].items()
    cases = ", ".join(f"[{number}]={key}" for number, key in lists.items())
    return f'names_by, "{field}", {{{cases}}}'
  if "bits" in row:
    return "bits, {" + ", ".join(names(dict(enumerate(row["bits"])))) + "}"
  if "unit" in row:
    unit, places = row["unit"], row.get("places")
    plain = f'unit, "{unit}"' if places is None else f'decimal, {places}, "{unit}"'
  else:
    plain = SHOWN.get(row.get("shown"), row.get("shown", "number").replace(" ", "_"))
  if "except" in row:
    (value, word), = row["except"].items()
    return f'unless, {value}, "{word}", {plain}'
  return plain


def field_lines(fields, indent):
  return [f'{indent}{{"{f.name}", "{f.type}", {presentation(f.row)}}},' for f in fields]


def telling(message):
  parts = [f'{{"{name}", "{label}"' + (", true}" if hidden else "}")
           for name, label, hidden in message.told]
  parts[0] = "telling = {" + parts[0]
  parts[-1] += "}},"
  return wrapped_items(parts, "    ", "      ")


def message_lines(message):
  lines = [f'  {{0x{message.code:02x}, "{message.name}",', "    fields = {"]
  lines += field_lines(message.fields, "      ") + ["    },"]
  if message.tail:
    kind = "entries" if "each" in message.tail else "tail"
    if "if" in message.tail:
      lines.append(f'    flag = {message.tail_bit}, flag_name = "{message.tail["if"]}",')
    lines += [f"    {kind} = {{"] + field_lines(message.tail_fields, "      ") + ["    },"]
  if message.texts:
    texts = ", ".join(f'{{"{name}", "rest", text}}' for name in message.texts)
    lines += [f"    texts = {{{texts}}},"]
  return lines + telling(message)


def renewed(text, table):
  lines = []
  for values in table.values.values():
    items = names(values.names)
    items[0] = f"local {values.key} = {{{items[0]}"
    items[-1] += "}"
    lines += wrapped_items(items, "", "  ")
  lines += ["", "local messages = {"]
  for message in table.messages:
    lines += message_lines(message)
  return between(text, BEGIN, END, lines + ["}"])
