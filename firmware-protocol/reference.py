#!/usr/bin/env python3
"""Reference of the framing and the payload layouts of PROTOCOL.md, in plain Python 3.

    python3 reference.py --write    make primitives.json, frames.json, streams.json and seal.json of
                                    vectors
    python3 reference.py --check    the same, compared with the files; known answers; the scenarios'
                                    grammar

The table of messages is messages.json itself. This file is written to be read beside sections 2 and
3, not to be fast.
"""
import hashlib
import json
import sys
from pathlib import Path

import samples

HERE = Path(__file__).parent
TABLE = json.loads((HERE / "messages.json").read_text())
MESSAGES = {m["name"]: m for m in TABLE["messages"]}

SHORTEST, LONGEST = 8, 253  # decoded frame in bytes: body and CRC
LONGEST_CODED = LONGEST + 1  # the same after COBS, without its delimiter


class Refused(Exception):
  """A run of bytes that is not a frame; the message is the reason: long, cobs, short or crc."""


def crc32c(data):
  """CRC-32C of RFC 3720: polynomial 1EDC6F41 reflected, initial value and final XOR all ones."""
  crc = 0xFFFFFFFF
  for byte in data:
    crc ^= byte
    for _ in range(8):
      crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
  return crc ^ 0xFFFFFFFF


def cobs_encode(data):
  """Cheshire and Baker (1999), for at most 253 bytes, so that the code FF is never needed."""
  if len(data) > LONGEST:
    raise ValueError("longer than a frame")
  blocks = bytes(data).split(b"\0")
  return b"".join(bytes([len(block) + 1]) + block for block in blocks)


def cobs_decode(coded):
  """Undoes `cobs_encode`. A block must end where the run of bytes ends, no sooner, no later."""
  out, at = bytearray(), 0
  while at < len(coded):
    code = coded[at]
    block = coded[at + 1:at + code]
    if code == 0 or 0 in block or len(block) != code - 1:
      raise Refused("cobs")
    out += block
    at += code
    if at < len(coded):
      out.append(0)
  return bytes(out)


def frame(body):
  """The bytes on the wire of a body (head, type, seq, payload), with its closing delimiter."""
  return cobs_encode(body + crc32c(body).to_bytes(4, "little")) + b"\0"


def deframe(coded):
  """The body in the bytes between two delimiters."""
  if len(coded) > LONGEST_CODED:
    raise Refused("long")
  decoded = cobs_decode(coded)
  if len(decoded) < SHORTEST:
    raise Refused("short")
  body, crc = decoded[:-4], decoded[-4:]
  if crc32c(body) != int.from_bytes(crc, "little"):
    raise Refused("crc")
  return body


class StreamDecoder:
  """Bodies out of a stream in chunks of any size. It holds at most 255 bytes of an open frame."""

  def __init__(self):
    self.open, self.refused = bytearray(), []

  def feed(self, chunk):
    good = []
    for byte in chunk:
      if byte:
        if len(self.open) <= LONGEST_CODED:
          self.open.append(byte)
      elif self.open:
        try:
          good.append(deframe(bytes(self.open)))
        except Refused as why:
          self.refused.append(str(why))
        self.open.clear()
    return good


def mac(key, person, data):
  """The tag of section 15.1, as it stands on the wire."""
  return hashlib.blake2s(data, key=key, person=person, digest_size=32).digest()[:8]


def session_key(key, data):
  """The key of a sealed session, of what both ends have said (15.1)."""
  return hashlib.blake2s(data, key=key, person=b"fob-sess", digest_size=32).digest()


def pack_field(kind, value):
  if kind.endswith("]"):
    return bytes(value)
  size = int(kind[1:]) // 8
  number = int(value, 16) if isinstance(value, str) else value
  return number.to_bytes(size, "little", signed=kind[0] == "i")


def payload(name, fields, tail=(), rest=b""):
  """A payload from named values, in the order of messages.json. A field left out is 0."""
  message = MESSAGES[name]
  layout = message["fields"]
  known = {f["name"] for f in layout}
  if set(fields) - known:
    raise KeyError(f"{name} has no {set(fields) - known}")
  zero = lambda kind: [0] * int(kind[3:-1]) if kind.endswith("]") else 0
  out = b"".join(pack_field(f["type"], fields.get(f["name"], zero(f["type"]))) for f in layout)
  for entry in tail:
    out += b"".join(pack_field(f["type"], entry[f["name"]]) for f in message["tail"]["fields"])
  return out + rest


def body(name, seq, packed, head=0x10):
  return bytes([head, int(MESSAGES[name]["type"], 16)]) + seq.to_bytes(2, "little") + packed


def frame_row(name, content):
  return {"name": name, "body": content.hex(), "wire": frame(content).hex()}


def refused_row(name, wire):
  try:
    deframe(wire[:-1])
  except Refused as why:
    return {"name": name, "wire": wire.hex(), "reason": str(why)}
  raise AssertionError(name)


def message_row(seq, name, sample):
  fields, tail = sample.get("fields", {}), sample.get("tail", [])
  packed = payload(name, fields, tail, bytes.fromhex(sample.get("rest", "")))
  return {"name": sample["name"], "type": name, "told": sample["told"], "seq": seq, **{
    k: sample[k] for k in ("fields", "tail", "rest") if k in sample
  }, "payload": packed.hex(), "wire": frame(body(name, seq, packed)).hex()}


def stream_row(name, chunks):
  decoder = StreamDecoder()
  good = [b.hex() for chunk in chunks for b in decoder.feed(chunk)]
  return {"name": name, "chunks": [c.hex() for c in chunks], "good": good,
          "refused": len(decoder.refused)}


def tag_row(name, key, person, data):
  return {"name": name, "key": key.hex(), "person": person.decode(), "message": data.hex(),
          "tag": mac(key, person, data).hex()}


def checksum(symbols):
  """The polynomial of BIP 173 over GF(32)."""
  check = 1
  for symbol in symbols:
    top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ symbol
    for i, term in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
      check ^= term if top >> i & 1 else 0
  return check


def label(device, key):
  """The code of a label (15.6)."""
  number = device << 128 | int.from_bytes(key, "big")
  symbols = [number >> 5 * i & 31 for i in reversed(range(39))]
  check = checksum(symbols + [0] * 6) ^ 1
  symbols += [check >> 5 * i & 31 for i in reversed(range(6))]
  letters = "".join("0123456789ABCDEFGHJKMNPQRSTVWXYZ"[symbol] for symbol in symbols)
  return "-".join(letters[i:i + 5] for i in range(0, 45, 5))


def label_row(name, device, key):
  code = label(device, key)
  return {"name": name, "device": f"{device:016x}", "key": key.hex(), "text": code,
          "scanned": "FOB:" + code.replace("-", "")}


def session_row(name, key, data):
  return {"name": name, "key": key.hex(), "message": data.hex(),
          "session_key": session_key(key, data).hex()}


def documents():
  """Every generated file: a name, and lists of rows."""
  return {
    "primitives.json": {
      "crc32c": [{"name": n, "hex": d.hex(), "crc": f"{crc32c(d):08x}"} for n, d in samples.CRC],
      "cobs": [{"name": n, "decoded": d.hex(), "coded": cobs_encode(d).hex()}
               for n, d in samples.COBS],
      "cobs_decode_refused": [{"name": n, "coded": c.hex()} for n, c in samples.COBS_REFUSED],
      "cobs_encode_refused": [{"name": n, "decoded": d.hex()} for n, d in samples.COBS_TOO_LONG],
    },
    "frames.json": {
      "frames": [frame_row(n, b) for n, b in samples.BODIES],
      "refused": [refused_row(n, w) for n, w in samples.refused_wires(frame, cobs_encode)],
      "messages": [message_row(i + 1, n, s) for i, (n, s) in enumerate(samples.MESSAGES)],
    },
    "streams.json": {
      "streams": [stream_row(n, c) for n, c in samples.streams(frame)],
    },
    "seal.json": {
      "tags": [tag_row(*sample) for sample in samples.tags()],
      "session_keys": [session_row(*sample) for sample in samples.SESSION_KEYS],
      "labels": [label_row(*sample) for sample in samples.LABELS],
    },
  }


def text(document):
  """JSON with one row a line, so that a changed vector is a changed line."""
  lists = [f'"{key}": [\n' + ",\n".join("  " + json.dumps(r, ensure_ascii=False) for r in rows)
           + "\n]" for key, rows in document.items()]
  return "{\n" + ",\n".join(lists) + "\n}\n"


def check_known_answers():
  """Answers that were not made by this file."""
  for data, crc in samples.KNOWN_CRC:
    assert crc32c(data) == crc, data
  for content, wire in samples.KNOWN_WIRE:
    assert frame(content) == wire, content.hex()
  for message, digest in samples.KNOWN_BLAKE2S:
    assert hashlib.blake2s(message).hexdigest() == digest
  event, ack = (next(v["fields"] for n, v in samples.MESSAGES if n == name)
                for name in ("EVENT", "EVENT_ACK"))
  assert crc32c(payload("EVENT", event)[:29]) == ack["identity_crc"]
  full = frame(b"\xff" * 249)
  assert len(full) == 255 and full[0] == 0xFE and full.endswith(bytes.fromhex("ffa2ac7a7200"))
  for _, coded in samples.COBS_REFUSED:
    try:
      cobs_decode(coded)
    except Refused:
      continue
    raise AssertionError(coded.hex())


def wrongly_accepted(wire, flips):
  """The count of other bodies that a stream yields when the given bits of `wire` are turned."""
  damaged = bytearray(wire)
  for bit in flips:
    damaged[bit // 8] ^= 1 << bit % 8
  original = deframe(wire[:-1])
  return sum(b != original for b in StreamDecoder().feed(bytes(damaged) + b"\0"))


def check_bit_errors(wires):
  for wire in wires:
    assert sum(wrongly_accepted(wire, [bit]) for bit in range(len(wire) * 8)) == 0
  short = min(wires, key=len)
  bits = len(short) * 8
  assert sum(wrongly_accepted(short, [a, b]) for a in range(bits) for b in range(a)) == 0


def check_scenarios(name):
  """The hand-written scenarios keep the grammar of vectors/README.md."""
  names = set()
  for case in json.loads((HERE / "vectors" / name).read_text())["cases"]:
    where = f'{name}: {case["name"]}'
    assert case["name"] not in names and case["end"] in ("device", "host"), where
    names.add(case["name"])
    last = 0
    for step in case["steps"]:
      assert step["at"] >= last, where
      last = step["at"]
      keys = set(step) - {"at"}
      allowed = samples.SCENARIO_DOES[case["end"]]
      if "do" in step:
        assert step["do"] in allowed and keys <= {"do", *allowed[step["do"]]}, (where, step)
      else:
        assert len(keys) == 1 and keys <= samples.SCENARIO_EXPECTS, (where, step)
      shown = [step["frame"]] if "frame" in step else step.get("sends", step.get("has", []))
      assert shown == "any" or all(known_frame(frame) for frame in shown), (where, step)


def known_frame(shown):
  reserved = {"type", "head", "seq", "resent", "payload", "cut", "extra"}
  message = MESSAGES.get(shown["type"])
  if message is None:
    return shown["type"].startswith("0x") and set(shown) <= reserved
  fields = message["fields"] + message.get("tail", {}).get("fields", [])
  return set(shown) <= reserved | {f["name"] for f in fields}


def main(arguments):
  if arguments not in (["--write"], ["--check"]):
    sys.exit(__doc__)
  made = {name: text(document) for name, document in documents().items()}
  check_known_answers()
  if arguments == ["--write"]:
    for name, content in made.items():
      (HERE / "vectors" / name).write_text(content)
    return
  stale = [n for n, content in made.items() if (HERE / "vectors" / n).read_text() != content]
  if stale:
    sys.exit(f"not what reference.py makes: {', '.join(stale)}")
  check_bit_errors([bytes.fromhex(r["wire"]) for r in documents()["frames.json"]["messages"]])
  for name in ("session.json", "reliability.json"):
    check_scenarios(name)


if __name__ == "__main__":
  main(sys.argv[1:])
