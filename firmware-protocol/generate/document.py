"""The tables of section 3 of PROTOCOL.md. What people write stands outside of the marks."""
import re

from text import MARK, between, wrapped

BEGIN, END = "<!-- {} -->", "<!-- /{} -->"
ALL = "messages"
ARROWS = {"host→device": "H→D", "device→host": "D→H", "both": "both"}


def size(message):
  if message.texts:
    return f"{message.size} or more"
  if not message.tail:
    return f"{message.size}"
  return f"{message.size} (+ {message.tail_size}{' each' if 'each' in message.tail else ''})"


def overview(table):
  rows = ["| type | name | direction | size |", "| --- | --- | --- | --- |"]
  return [f"<!-- {MARK} -->", ""] + rows + [
    f"| {m.code:02X} | {m.name} | {ARROWS[m.direction]} | {size(m)} |" for m in table.messages]


def layout(fields, at=0):
  rows = ["| at | size | field | type | meaning |", "| --- | --- | --- | --- | --- |"]
  for field in fields:
    meaning = field.meaning.replace("|", "\\|")
    rows.append(f"| {at} | {field.size} | {field.name} | {field.type} | {meaning} |")
    at += field.size
  return rows


def section(message):
  see = f" See {message.row['see']}." if "see" in message.row else ""
  lines = [f"### {message.code:02X} {message.name}, {ARROWS[message.direction]}", ""]
  lines += wrapped(message.about + see, "")
  if message.fields:
    lines += [""] + layout(message.fields)
  if message.tail:
    at = 0 if "each" in message.tail else message.size
    lines += [""] + wrapped(message.tail["about"], "") + [""] + layout(message.tail_fields, at)
  return lines


def renewed(text, table):
  """Each message's part anew, with the words behind it; a new message gets one behind the last."""
  text = between(text, BEGIN.format(ALL), END.format(ALL), overview(table))
  last = END.format(ALL) + "\n"
  known = {m.name for m in table.messages}
  for name in re.findall(r"^<!-- ([A-Z0-9_]+) -->$", text, re.MULTILINE):
    assert name in known, f"{name} stands in PROTOCOL.md and not in the table: remove it there"
  for message in table.messages:
    begin, end = BEGIN.format(message.name), END.format(message.name)
    if begin not in text:
      # Before the next part or section, so that the words of the last one stay with it.
      at = re.compile(r"^(<!-- [A-Z0-9_]+ -->|## .*)$", re.MULTILINE).search(
        text, text.index(last) + len(last)).start()
      text = f"{text[:at]}{begin}\n{end}\n\n{text[at:]}"
    text = between(text, begin, end, section(message))
    last = end + "\n"
  return text
