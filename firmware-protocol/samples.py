"""The inputs of the generated vectors, and answers known from elsewhere. See reference.py."""

KNOWN_CRC = [(b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA), (b"", 0)]
KNOWN_WIRE = [
  (bytes.fromhex(b), bytes.fromhex(w)) for b, w in [
    ("10010200", "041001 02 056a580723 00"),
    ("0000000000000000", "0101010101010101 058ab2288c 00"),
    ("1021bf00005566", "041021bf 01 065566f65305 01 00"),
  ]
]

KNOWN_BLAKE2S = [
  (b"abc", "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
]

CRC = [
  ("check value of the catalogue", b"123456789"),
  ("32 zero bytes, RFC 3720 B.4", bytes(32)),
  ("32 bytes of ff, RFC 3720 B.4", b"\xff" * 32),
  ("32 ascending bytes, RFC 3720 B.4", bytes(range(32))),
  ("32 descending bytes, RFC 3720 B.4", bytes(range(31, -1, -1))),
  ("nothing: why a frame has a least length", b""),
  ("one zero byte", b"\0"),
]

COBS = [
  ("0 bytes", b""),
  ("1 byte", b"\x42"),
  ("1 zero", b"\0"),
  ("2 zeros", b"\0\0"),
  ("zero at both ends", b"\0\x11\0"),
  ("zero in the middle", b"\x11\x22\0\x33"),
  ("zero at the end", b"\x11\x22\x33\0"),
  ("252 bytes without a zero", b"\xff" * 252),
  ("253 bytes without a zero: the longest", b"\xff" * 253),
  ("253 zeros", bytes(253)),
  ("253 bytes, a zero last", b"\xaa" * 252 + b"\0"),
]
COBS_REFUSED = [
  ("a code past the end", b"\x05\x11\x22"),
  ("a code past the end after a good block", b"\x02\x11\x03\x22"),
  ("a zero inside a block", b"\x04\x11\0\x22"),
  ("a zero as a code", b"\0\x11"),
  ("code ff, which needs 254 bytes more", b"\xff" + b"\x11" * 253),
]
COBS_TOO_LONG = [("254 bytes", b"\xff" * 254), ("254 zeros", bytes(254))]

BODIES = [
  ("an empty HELLO: head, type, seq 2", bytes.fromhex("10010200")),
  ("eight zeros", bytes(8)),
  ("the longest body", b"\xff" * 249),
  ("the longest body, zeros", bytes(249)),
  ("a CRC that ends in a zero byte", bytes.fromhex("1021bf00005566")),
  ("another major version", bytes.fromhex("20800000")),
  ("a resent head", bytes.fromhex("14110700")),
]


def refused_wires(frame, cobs_encode):
  ends_in_zero = bytearray(frame(bytes.fromhex("1021bf00005566")))
  ends_in_zero[-2] = 0
  hello = frame(bytes.fromhex("10010200"))
  flipped = bytearray(hello)
  flipped[1] ^= 0x80
  return [
    ("a CRC of nothing over nothing", cobs_encode(bytes(4)) + b"\0"),
    ("seven bytes with a good CRC", frame(b"\x10\x01\x02")),
    ("the last code 01 turned to 00, without the delimiter it leaves", bytes(ends_in_zero[:-1])),
    ("one bit turned", bytes(flipped)),
    ("the last byte lost", hello[:-2] + b"\0"),
    ("the first byte lost", hello[1:]),
    ("two frames run together", hello[:-1] + hello),
    ("text", b"AT\r\n\0"),
    ("255 bytes before the delimiter", b"\x01" * 255 + b"\0"),
    ("254 bytes without a frame in them", b"\x01" * 254 + b"\0"),
    ("code ff", b"\xff" + b"\x11" * 253 + b"\0"),
  ]


def streams(frame):
  a = frame(bytes.fromhex("10010200"))
  b = frame(bytes.fromhex("1021bf00005566"))
  c = frame(bytes(range(40)))
  lone = b"\0"
  spliced = b[:5] + b"log: hello\r\n" + b[5:]
  return [
    ("one frame", [a]),
    ("two frames", [a + b]),
    ("a lone delimiter first", [lone + a]),
    ("one byte at a time", [bytes([x]) for x in a + b]),
    ("three frames, chunks that end nowhere in particular", [a[:3], a[3:] + b[:1], b[1:] + c]),
    ("noise first, closed by the lone delimiter", [b"\x93\x11\xfe" + lone + a]),
    ("noise first, without a delimiter: it costs the first frame", [b"\x93\x11\xfe" + a + b]),
    ("AT and line end first, closed by the lone delimiter", [b"AT\r\n" + lone + a]),
    ("AT and line end first, without a delimiter", [b"AT\r\n" + a + b]),
    ("a frame cut by a reset; the lone delimiter closes it", [a + c[:17], lone + b]),
    ("a frame cut by a reset, no lone delimiter", [a + c[:17], b + a]),
    ("a delimiter lost: two frames merge, the third is whole", [a[:-1] + b + c]),
    ("a delimiter put in: both parts are refused", [c[:9] + lone + c[9:] + a]),
    ("a delimiter put in after the first byte", [a[:1] + lone + a[1:] + b]),
    ("runs of delimiters count for nothing", [lone * 300, a + lone * 5 + b + lone]),
    ("nothing but delimiters", [lone * 20]),
    ("over-long, then good", [b"\x55" * 1000 + lone + a]),
    ("over-long by one, then good", [b"\x01" * 255 + lone + a]),
    ("over-long in chunks, one refusal", [b"\x55" * 200, b"\x55" * 200, b"\x55" * 200 + lone, b]),
    ("text between frames", [a + b"boot ok\r\n" + lone + b]),
    ("text spliced into a frame", [a + spliced + c]),
    ("an open frame is neither good nor refused", [a + c[:-1]]),
    ("the last zero code turned into a delimiter", [b[:-2] + lone + lone + a]),
    ("our own echo: frames like any other", [a, a, b, b]),
    ("a frame twice is two frames", [a + a]),
    ("the longest frame between short ones", [a + frame(b"\xff" * 249) + b]),
  ]


KEY = bytes(range(16))
SESSION_KEY = bytes(range(0x80, 0xA0))


def message(count):
  return bytes(7 * i & 255 for i in range(count))


def tags():
  """Name, key, person and message of each tag. 239 bytes are tagged of the longest sealed frame."""
  counts = [1, 2, 18, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193, 238, 239]
  keys = [("a key of zeros", bytes(16)), ("a key of ones", b"\xff" * 16),
          ("a key of one bit", b"\1" + bytes(15)), ("the shortest key of BLAKE2s", b"\x5a"),
          ("the longest", SESSION_KEY)]
  return [
    ("PAIR_RESULT", KEY, b"fob-pair", message(12)),
    ("PROOF", SESSION_KEY, b"fob-prov", message(20)),
    *[(f"EVENT, {n} bytes", KEY, b"fob-evnt", message(n)) for n in (56, 64, 74)],
    *[(f"a frame of the host, {n} bytes", SESSION_KEY, b"fob-host", message(n)) for n in counts],
    *[(f"a frame of the device, {n} bytes", SESSION_KEY, b"fob-devi", message(n)) for n in counts],
    *[(name, key, b"fob-evnt", message(64)) for name, key in keys],
  ]


SESSION_KEYS = [
  ("ascending", KEY, bytes(range(32))),
  ("zeros", bytes(16), bytes(32)),
  ("ones", b"\xff" * 16, b"\xff" * 32),
  ("the first session of a boot", KEY, bytes.fromhex(
    "0807060504030201 0110555e 02000000 020007b0 01000000 0100000000000080")),
]

LABELS = [
  ("a bench keychain", 1 << 63 | 1, KEY),
  ("zeros", 0, bytes(16)),
  ("ones", (1 << 64) - 1, b"\xff" * 16),
  ("ascending", 0x0123456789ABCDEF, bytes(range(0, 256, 17))),
]

DEVICE, EVENT = "0x8000000000000001", "0x0000000100000002"
PRESSED = {
  "device_id": DEVICE, "event_no": EVENT, "kind": 1, "clock": "0x00000000000f4240",
  "boot_nonce": 0xB0070001, "commit_delta": 15000, "flags": 0, "detail": 0, "millivolts": 3900,
  "battery_percent": 87, "fix_quality": 2, "latitude": 393298832, "longitude": -820977485,
  "fix_age": 1500, "fix_accuracy": 40, "satellites": 9,
}
MESSAGES = [
  ("HELLO", {"name": "HELLO of a host", "told": "host, session 5e551001", "fields": {
    "role": 1, "version_min": 1, "version_max": 1, "max_frame": 255, "session_nonce": 0x5E551001,
    "firmware_version": [0, 1, 0]}}),
  ("HELLO", {"name": "HELLO of a device",
    "told": "device, 8000000000000001, boot 2, watchdog, session 5e551001, unacked from 1.2",
    "fields": {
    "role": 0, "version_min": 1, "version_max": 1, "reset_cause": 3, "max_frame": 255,
    "table_hash": 0x01020304, "session_nonce": 0x5E551001, "device_id": DEVICE, "boot_counter": 2,
    "boot_nonce": 0xB0070002, "oldest_unacked": EVENT, "firmware_version": [1, 4, 2]}}),
  ("TIME_REQ", {"name": "TIME_REQ", "told": "1000000.000000 s", "fields": {
    "host_send": "0x000000e8d4a51000", "session_nonce": 0x5E551001}}),
  ("TIME_RESP", {"name": "TIME_RESP",
    "told": "to 1000000.000000 s, device clock 2.000000 s", "fields": {
    "host_send": "0x000000e8d4a51000", "device_receive": "0x00000000001e8480",
    "device_send": "0x00000000001e84b2", "boot_nonce": 0xB0070001, "session_nonce": 0x5E551001}}),
  ("HEARTBEAT", {"name": "HEARTBEAT",
    "told": "up 10.000000 s, 87 %, shows sending, unacked 2, sounder + button closed, "
            "damaged 1, dropped 2", "fields": {
    "uptime": "0x0000000000989680", "millivolts": 3900, "battery_percent": 87, "unacked": 2,
    "shown_state": 3, "flags": 3, "rx_damaged": 1, "tx_dropped": 2, "evicted": 3, "merged": 4}}),
  ("REJECT", {"name": "REJECT", "told": "0x7f, seq 513, unknown type", "fields": {
    "rejected_type": 0x7F, "reason": 1, "rejected_seq": 513}}),
  ("CHALLENGE", {"name": "CHALLENGE", "told": "session 5e551001", "fields": {
    "session_nonce": 0x5E551001, "host_nonce": "0x0102030405060708"}}),
  ("PROOF", {"name": "PROOF", "told": "session 5e551001, boot 2, number 3", "fields": {
    "session_nonce": 0x5E551001, "boot_counter": 2, "boot_nonce": 0xB0070002, "number": 3,
    "clock": 9765, "tag": "0x1122334455667788"}}),
  ("EVENT", {"name": "EVENT pressed: 64 bytes on the wire",
    "told": "1.2, pressed, 87 %", "fields": PRESSED}),
  ("EVENT", {"name": "EVENT pressed, MERGED, VOLATILE, never a fix",
    "told": "1.130, pressed, MERGED + VOLATILE, covers 2 presses, 87 %", "fields": {
    **PRESSED, "event_no": "0x0000000100000082", "flags": 12, "fix_quality": 0, "latitude": 0,
    "longitude": 0, "fix_age": 0xFFFFFFFF, "fix_accuracy": 0xFFFF, "satellites": 0},
    "tail": [{"first_covered": "0x0000000100000080", "covered": 2}]}),
  ("EVENT_ACK", {"name": "EVENT_ACK of the pressed event above", "told": "1.2", "fields": {
    "event_no": EVENT, "identity_crc": 0x59EE0CBA}}),
  ("PAIR", {"name": "PAIR", "told": "session 5e551001", "fields": {
    "session_nonce": 0x5E551001, "key_low": "0x0706050403020100",
    "key_high": "0x0f0e0d0c0b0a0908"}}),
  ("PAIR_RESULT", {"name": "PAIR_RESULT, paired", "told": "session 5e551001, paired", "fields": {
    "session_nonce": 0x5E551001, "result": 0, "tag": "0x1122334455667788"}}),
  ("PAIR_RESULT", {"name": "PAIR_RESULT, refused", "told": "session 5e551001, no presence",
    "fields": {"session_nonce": 0x5E551001, "result": 1, "tag": "0x0000000000000000"}}),
  ("UNPAIR", {"name": "UNPAIR", "told": "session 5e551001", "fields": {
    "session_nonce": 0x5E551001}}),
  ("INDICATE", {"name": "INDICATE",
    "told": "countdown, 90, sounder, for 5.000 s, revision 7", "fields": {
    "session_nonce": 0x5E551001, "incident": "0x1122334455667788", "revision": 7, "state": 2,
    "detail": 90, "flags": 1, "lease": 5000}}),
  ("LED_SET", {"name": "LED_SET",
    "told": "due, for 6.000 s", "fields": {"state": 8, "detail": 3, "duration": 6000}}),
  ("LED_STATE", {"name": "LED_STATE", "told": "accepted, sounder + by lease", "fields": {
    "clock": "0x00000000000f9060", "shown_state": 4, "detail": 0, "flags": 3,
    "session_nonce": 0x5E551001, "revision": 8}}),
  ("BATTERY", {"name": "BATTERY", "told": "20 %, 3510 mV, low", "fields": {
    "clock": "0x0000000003938700", "millivolts": 3510, "percent": 20, "level": 1}}),
  ("GPS_FIX", {"name": "GPS_FIX", "told": "good, -33.7654321°, 151.2093210°, ± 2.5 m", "fields": {
    "clock": "0x00000000001e8480", "quality": 2, "latitude": -337654321, "longitude": 1512093210,
    "altitude": -1250, "accuracy": 25, "satellites": 11, "utc": 1767225600}}),
  ("CONFIG", {"name": "CONFIG", "told": "debounce in ms, = 30", "fields": {"key": 1, "value": 30}}),
  ("CONFIG_RESULT", {"name": "CONFIG_RESULT",
    "told": "debounce in ms, = 30, done", "fields": {"key": 1, "value": 30, "result": 0}}),
  ("FW_INFO", {"name": "FW_INFO, the question", "told": ""}),
  ("FW_INFO", {"name": "FW_INFO, the answer",
    "told": "bench board, build 42", "rest": b"bench board\0build 42".hex()}),
  ("TRACE", {"name": "TRACE, the question", "told": "from 16", "fields": {"first": 16}}),
  ("TRACE", {"name": "TRACE, the answer",
    "told": "from 16, entries 2", "fields": {"first": 16}, "tail": [
    {"clock": "0x00000000000f4240", "code": 1, "argument": "0x0000000000000000"},
    {"clock": "0x00000000000f9060", "code": 3, "argument": EVENT}]}),
  ("LOG", {"name": "LOG",
    "told": "info, store ok: 3 µs",
    "fields": {"level": 1}, "rest": "store ok: 3 µs".encode().hex()}),
  ("NMEA_RAW", {"name": "NMEA_RAW",
    "told": "$GPGGA,,,,,,0,,,,,,,,*66\\r\\n", "rest": b"$GPGGA,,,,,,0,,,,,,,,*66\r\n".hex()}),
]

FRAME = ["frame"]
SCENARIO_DOES = {
  "device": {
    "boot": ["cause", "nonce", "store"], "close": [], "open": [], "echo": [],
    "presses": ["count", "every", "hold"], "host_frame": FRAME, "store": ["state"],
    "battery": ["percent"],
  },
  "host": {"open": [], "echo": [], "device_frame": FRAME, "commits": ["state"], "restart": []},
}
SCENARIO_EXPECTS = {"sends", "has", "distinct", "most", "delivers"}
