"""Writes what is made of firmware-protocol/messages.json, the table that a person edits.

    python3 firmware-protocol/generate            write it: make generate
    python3 firmware-protocol/generate --check    fail where a file is not what the table makes

Payloads and named values of WireProtocol, layouts of Capture, the table of the dissector, the
tables of PROTOCOL.md, the list of payloads for tests. messages.py says what the table holds;
reference.py reads the table itself. The readers and writers in C, the meaning at both ends, the
vectors and the fuzzers are by hand, and so check what is written here.
"""
import sys
from pathlib import Path

import document
import dissector
import layouts
import payloads
import values
from messages import Table

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ["Sources/WireProtocol/Messages/Generated", "Sources/Capture/Messages/Generated"]


def made(table):
  """Every file by its path: the whole of it, or the old text with its generated parts anew."""
  files = {}
  for name, text in {**payloads.files(table), **values.files(table)}.items():
    files[f"{FOLDERS[0]}/{name}"] = text
  for name, text in layouts.files(table).items():
    files[f"{FOLDERS[1]}/{name}"] = text
  files["Tests/WireProtocolTests/AllPayloads.swift"] = payloads.list_for_tests(table)
  for path, renew in (("firmware-protocol/wireshark/fob_messages.lua", dissector.renewed),
                      ("firmware-protocol/PROTOCOL.md", document.renewed)):
    files[path] = renew((ROOT / path).read_text(), table)
  return files


def main(arguments):
  if arguments not in ([], ["--check"]):
    sys.exit(__doc__)
  files = made(Table.load(ROOT / "firmware-protocol/messages.json"))
  there = {str(path.relative_to(ROOT)) for folder in FOLDERS for path in (ROOT / folder).glob("*")}
  stale = [path for path, text in files.items()
           if not (ROOT / path).exists() or (ROOT / path).read_text() != text]
  left_over = sorted(there - files.keys())
  if arguments == ["--check"]:
    if stale or left_over:
      sys.exit("not what messages.json makes, run make generate: " + ", ".join(stale + left_over))
    return
  for path in stale:
    (ROOT / path).parent.mkdir(exist_ok=True)
    (ROOT / path).write_text(files[path])
  for path in left_over:
    (ROOT / path).unlink()
  print(f"{len(files)} files, {len(stale)} written, {len(left_over)} removed")


if __name__ == "__main__":
  main(sys.argv[1:])
