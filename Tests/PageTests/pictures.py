"""Pictures of the page: which there are, how wide, and those that the documentation shows."""

import pathlib
import re
import struct
import sys
import zlib

# Every picture of a view, by its name, with the view or the section of the bench that it shows.
VIEWS = {
    "login": "login", "set-up-start": "setup", "set-up-account": "setup", "pin": "setup",
    "set-up-contact": "setup", "set-up-nobody": "setup",
    "status": "status", "status-to-do": "status", "status-unplugged": "status",
    "contacts": "contacts", "history": "history", "settings": "settings", "pairing": "settings",
    "status-check-in": "status", "check-ins": "checkIns", "check-in-editor": "checkIns",
    "keychain-taken": "status", "calm": "calm", "calm-help": "calm", "calm-pictures": "calm",
    "reviews": "review", "review": "review",
    "alarm-countdown": "alarm", "alarm-sent": "alarm", "alarm-acknowledged": "alarm",
    "alarm-pin": "alarm", "alarm-survey": "alarm", "alarm-connection-lost": "alarm",
    "alarm-failed": "alarm", "alarm-ended": "alarm",
    "bench-devices": "overview", "bench-latency": "latency", "bench-conformance": "conformance",
}
# Nothing may be cut at any of these; there are pictures of three.
WIDTHS = {320: 640, 390: 844, 768: 1024, 1280: 900, 1920: 1080}
PICTURED = (390, 768, 1280)
SCHEMES = ("light", "dark")

# Of the documentation, and of what each is a picture.
DOCUMENTED = {
    "page-status": "status-1280-light", "page-alarm": "alarm-acknowledged-1280-light",
    "page-bench": "bench-devices-1280-light", "page-latency": "bench-latency-1280-light",
}


def name_of(view, width, scheme):
    return f"{view}-{width}-{scheme}"


def modules(page):
    """The views and sections that the page's scripts name, in a folder of its files."""
    script = pathlib.Path(page, "script")
    main = (script / "main.js").read_text(encoding="utf-8")
    bench = (script / "bench.js").read_text(encoding="utf-8")
    here = re.search(r"const views = \{(.*?)\}", main, re.S).group(1)
    later = re.search(r"const later = \{(.*?)\n\};", main, re.S).group(1)
    sections = re.search(r"const sections = \[(.*?)\]", bench, re.S).group(1)
    return set(re.findall(r"(\w+): \(\)", later)) | set(re.findall(r"\w+", here + " " + sections))


def smaller(picture, path):
    """Writes a picture of a browser with 256 colours at most, which is a quarter of its bytes."""
    width, height, pixels = _pixels(picture.read_bytes())
    counts = {}
    for at in range(0, len(pixels), 3):
        colour = pixels[at:at + 3]
        counts[colour] = counts.get(colour, 0) + 1
    palette = _palette(counts)
    places = {colour: place for place, colour in enumerate(palette)}
    for colour in counts:
        if colour not in places:
            places[colour] = min(range(len(palette)), key=lambda place: sum(
                (a - b) ** 2 for a, b in zip(palette[place], colour)))
    rows = b"".join(
        b"\0" + bytes(places[pixels[at:at + 3]]
                      for at in range(y * width * 3, (y + 1) * width * 3, 3))
        for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header)
                     + _chunk(b"PLTE", b"".join(palette))
                     + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b""))


def _palette(counts):
    """256 colours: of each that is seldom and small, too, one like it, then the most frequent."""
    frequent = sorted(counts, key=counts.get, reverse=True)
    alike = {}
    for colour in frequent:
        alike.setdefault(tuple(part >> 5 for part in colour), colour)
    return list(dict.fromkeys([*alike.values(), *frequent]))[:256]


def _chunk(kind, content):
    return (struct.pack(">I", len(content)) + kind + content
            + struct.pack(">I", zlib.crc32(kind + content)))


def _pixels(png):
    """Width, height, and three bytes a pixel, of a PNG of 8 bits in RGB or RGBA."""
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        content = png[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colours = struct.unpack(">IIBB", content[:10])
        if kind == b"IDAT":
            data += content
        at += 12 + size
    depth = 4 if colours == 6 else 3
    raw, stride = zlib.decompress(data), width * depth
    before, rows = bytearray(stride), []
    for y in range(height):
        start = y * (stride + 1)
        row = _unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + stride]), before, depth)
        rows.append(bytes(row) if depth == 3 else bytes(
            byte for place, byte in enumerate(row) if place % 4 != 3))
        before = row
    return width, height, b"".join(rows)


def _unfiltered(kind, row, above, depth):
    """A row of a PNG as it was before its filter (PNG, 9.2)."""
    for at, byte in enumerate(row if kind else b""):
        left = row[at - depth] if at >= depth else 0
        corner = above[at - depth] if at >= depth else 0
        guess = (0, left, above[at], (left + above[at]) // 2,
                 _paeth(left, above[at], corner) if kind == 4 else 0)[kind]
        row[at] = (byte + guess) & 0xFF
    return row


def _paeth(left, above, corner):
    estimate = left + above - corner
    return min((left, above, corner), key=lambda one: abs(estimate - one))


if __name__ == "__main__":
    taken, docs = map(pathlib.Path, sys.argv[1:])
    for shown, name in DOCUMENTED.items():
        smaller(taken / f"{name}.png", docs / f"{shown}.png")
