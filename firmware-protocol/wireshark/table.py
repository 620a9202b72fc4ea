#!/usr/bin/env python3
"""The table in fob_messages.lua, from ../messages.json: every message, field, unit, name and flag.

    python3 table.py --write    put it between the marks of fob_messages.lua
    python3 table.py --check    compare it with what stands there

Units, names of values and flags are read from the "about" of each field. Only what that table does
not have stands here: which texts end a message, and what is told of it in one line.
"""
import json
import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).parent
TABLE = json.loads((HERE.parent / "messages.json").read_text())
ALL_FIELDS = [field for message in TABLE["messages"] for field in message["fields"]]
BEGIN, END = "-- BEGIN of what table.py makes", "-- END of what table.py makes"

TEXTS = {"FW_INFO": ["board", "build"], "LOG": ["text"], "NMEA_RAW": ["bytes"]}

# NAME, NAME=label before it, and a ? behind a field that is left out at zero.
TELLING = {
  "HELLO": "role device_id? boot_counter=boot? reset_cause? session_nonce=session "
           "oldest_unacked=unacked_from?",
  "TIME_REQ": "host_send",
  "TIME_RESP": "host_send=to device_receive=device_clock",
  "HEARTBEAT": "uptime=up battery_percent shown_state=shows unacked=unacked flags? "
               "rx_damaged=damaged? tx_dropped=dropped?",
  "REJECT": "rejected_type rejected_seq=seq reason",
  "EVENT": "event_no kind detail? flags? covered=covers battery_percent",
  "EVENT_ACK": "event_no",
  "INDICATE": "state detail? flags? lease=for revision=revision",
  "LED_SET": "state duration=for",
  "LED_STATE": "shown_state detail? flags?",
  "BATTERY": "percent millivolts level",
  "GPS_FIX": "quality latitude longitude accuracy=±",
  "CONFIG": "key value==",
  "CONFIG_RESULT": "key value== result",
  "FW_INFO": "board build",
  "TRACE": "first=from",
  "LOG": "level text",
  "NMEA_RAW": "bytes",
}

# Of fields whose "about" says what they are, but not in what unit or system of numbers.
BY_NAME = {
  "millivolts": 'unit, "mV"', "max_frame": 'unit, "bytes"', "covered": 'unit, "presses"',
  "host_send": 'decimal, 6, "s"', "rejected_type": "message_type", "event_no": "event_number",
  "argument": "trace_argument, shown_states, reset_causes", "firmware_version": "version",
  "reset_cause": "names, reset_causes", "state": "names, shown_states",
  "shown_state": "names, shown_states",
  **dict.fromkeys(["capabilities", "table_hash", "session_nonce", "device_id", "boot_nonce",
                   "identity_crc", "incident"], "hex"),
}

BY_UNIT = [
  (r"µs from ", 'decimal, 3, "ms"'),
  (r"(.*, )?µs$", 'decimal, 6, "s"'),
  (r"ms$", 'decimal, 3, "s"'),
  (r"ms, f{8} when there was never a fix", 'unless, 0xffffffff, "never a fix", decimal, 3, "s"'),
  (r"dm, ffff unknown", 'unless, 0xffff, "unknown", decimal, 1, "m"'),
  (r"cm ", 'decimal, 2, "m"'),
  (r"1e-7 degree", 'decimal, 7, "°"'),
  (r"255 unknown", "percent"),
  (r"seconds since 1970-01-01, 0 unknown", 'unless, 0, "unknown", civil_time'),
  (r"event number", "event_number"),
  (r"booted: reset cause; fault: fault code", "event_detail, reset_causes, faults"),
]


def lua_names(names):
  """A list of Lua by number: `{[0]="none", "weak"}`; what has no key counts from 1."""
  first = min(names)
  assert first in (0, 1) and sorted(names) == list(range(first, first + len(names))), names
  parts = [("[0]=" if number == 0 else "") + f'"{names[number]}"' for number in sorted(names)]
  return "{" + ", ".join(parts) + "}"


def presentation(field):
  """How a field is shown: a function of fob_messages.lua, and what it takes."""
  name, about = field["name"], field.get("about", "").removeprefix("frozen; ")
  if name == "key" and not about:
    about = next(f["about"] for f in ALL_FIELDS if f["name"] == "key")
  if name in BY_NAME:
    return BY_NAME[name]
  for pattern, shown in BY_UNIT:
    if re.match(pattern, about):
      return shown
  items = about.split(", ")
  bits = [re.fullmatch(r"(?:bit )?(\d) (.+)", item) for item in items]
  if about.startswith("bit 0") and all(bits):
    return "bits, " + lua_names({int(m[1]): m[2] for m in bits})
  named = [re.fullmatch(r"(\d+) ([^:;]+)", item) for item in items]
  if len(items) > 1 and all(named):
    plain = {int(m[1]): re.sub(r" \(.*\)| on or off", "", m[2]) for m in named}
    return "names, " + lua_names(plain)
  return "number"


def wrapped(text, indent):
  """Lines of Lua, parted at no blank within quotes."""
  kept = re.sub('"[^"]*"', lambda quoted: quoted[0].replace(" ", "\0"), text)
  lines = textwrap.wrap(
    kept, 98, initial_indent=indent, subsequent_indent=indent + "  ", break_long_words=False,
    break_on_hyphens=False)
  return [line.replace("\0", " ") for line in lines]


def field_lines(fields, indent):
  return [line for f in fields
          for line in wrapped(f'{{"{f["name"]}", "{f["type"]}", {presentation(f)}}},', indent)]


def telling(words):
  parts = []
  for word in words.split():
    name, _, label = word.rstrip("?").partition("=")
    said = f'"{name}", "{label.replace("_", " ")}"' + (", true" if word.endswith("?") else "")
    parts.append("{" + said + "}")
  return "{" + ", ".join(parts) + "}"


def message_lines(message):
  name = message["name"]
  lines = [f'  {{{message["type"]}, "{name}",', "    fields = {"]
  lines += field_lines(message["fields"], "      ") + ["    },"]
  if "tail" in message:
    # The one tail that stands once is that of MERGED, bit 2 of flags.
    kind = "entries" if "repeated" in message["tail"]["when"] else "merged"
    lines += [f"    {kind} = {{"] + field_lines(message["tail"]["fields"], "      ") + ["    },"]
  if name in TEXTS:
    texts = ", ".join(f'{{"{t}", "rest", text}}' for t in TEXTS[name])
    lines += [f"    texts = {{{texts}}},"]
  return lines + wrapped(f"telling = {telling(TELLING[name])}}},", "    ")


def made():
  lines = []
  for key in ("reset_causes", "faults", "shown_states"):
    names = {int(number): name for number, name in TABLE[key].items()}
    lines += wrapped(f"local {key} = {lua_names(names)}", "")
  lines += ["", "local messages = {"]
  for message in TABLE["messages"]:
    lines += message_lines(message)
  return lines + ["}"]


def main(arguments):
  if arguments not in (["--write"], ["--check"]):
    sys.exit(__doc__)
  path = HERE / "fob_messages.lua"
  lines = path.read_text().split("\n")
  first, last = lines.index(BEGIN), lines.index(END)
  if arguments == ["--write"]:
    path.write_text("\n".join(lines[:first + 1] + made() + lines[last:]))
  elif lines[first + 1:last] != made():
    sys.exit("fob_messages.lua is not what table.py makes of messages.json: run table.py --write")


if __name__ == "__main__":
  main(sys.argv[1:])
