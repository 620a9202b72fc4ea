#!/usr/bin/env python3
"""One peer that takes its turns: it does its work once for each line of standard input.

It answers with the nanoseconds that this took and the units that were right, as `fob-bench
take-turns` does.   contenders.py NAME FOLDER WORK     FOLDER is from `fob-bench dump`.
"""

import os
import subprocess
import sys
import time

#: Of gpsdecode's work: so much more that its start, which is taken off, weighs little.
MANY = 20


def bodies(folder, work):
    with open(os.path.join(folder, work + ".bodies"), encoding="ascii") as file:
        return [bytes.fromhex(line) for line in file]


def contents(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def cobs(folder, work):
    """PyPI's cobs and crc32c, both C: fob's own frames, cut at the zeros, checked as fob does."""
    from cobs import cobs as codec
    from crc32c import crc32c

    stream = contents(folder, work + ".stream")

    def once():
        whole = 0
        for piece in stream.split(b"\0")[:-1]:
            frame = codec.decode(piece)
            whole += crc32c(frame[:-4]) == int.from_bytes(frame[-4:], "little")
        return whole

    return once


def min_host(folder, work):
    """MIN's own Python: the same bodies as MIN frames, with its framing and its CRC."""
    sys.path.insert(0, os.environ["MIN_HOST"])
    from min import MINFrame, MINTransport

    class Receiver(MINTransport):
        def _now_ms(self):
            return 0

    receiver = Receiver()
    frames = [MINFrame(1, body, 0, False) for body in bodies(folder, work)]
    stream = b"".join(receiver._on_wire_bytes(frame) for frame in frames)

    def once():
        receiver._rx_list = []
        receiver._rx_bytes(stream)
        return len(receiver._rx_list)

    return once


def with_crc(body):
    """As much payload as fob's frame has, where a peer's framing has no CRC."""
    from crc32c import crc32c

    return body + crc32c(body).to_bytes(4, "little")


def meshtastic(folder, work):
    """The reader of meshtastic's StreamInterface as it is: it has no CRC, and none is checked."""
    from meshtastic.stream_interface import START1, START2, StreamInterface

    payloads = [with_crc(body) for body in bodies(folder, work)]
    heads = [bytes([START1, START2]) + len(payload).to_bytes(2, "big") for payload in payloads]
    stream = b"".join(head + payload for head, payload in zip(heads, payloads))
    # As a line delivers them: a byte for each call.
    pieces = [stream[at : at + 1] for at in range(len(stream))]

    class Reader(StreamInterface):
        def __init__(self):
            super().__init__(noProto=True, connectNow=False)
            self.whole = 0
            self.rest = iter(())

        def _readBytes(self, length):
            piece = next(self.rest, None)
            self._wantExit = piece is None
            return piece

        def _handleFromRadio(self, fromRadioBytes):
            self.whole += 1

        def _disconnected(self):
            pass

    reader = Reader()

    def once():
        reader.whole = 0
        reader.rest = iter(pieces)
        reader._wantExit = False
        reader._StreamInterface__reader()
        return reader.whole

    return once


def bumble(folder, work):
    """Bumble's parser of HCI packets from a serial line: ACL data, no CRC, in pieces of 4,096."""
    from bumble.transport.common import PacketParser

    payloads = [with_crc(body) for body in bodies(folder, work)]
    heads = [b"\x02\x40\x20" + len(payload).to_bytes(2, "little") for payload in payloads]
    stream = b"".join(head + payload for head, payload in zip(heads, payloads))
    pieces = [stream[at : at + 4096] for at in range(0, len(stream), 4096)]

    class Sink:
        whole = 0

        def on_packet(self, packet):
            self.whole += 1

    sink = Sink()
    parser = PacketParser(sink)

    def once():
        sink.whole = 0
        for piece in pieces:
            parser.feed_data(piece)
        return sink.whole

    return once


def pynmea2(folder, work):
    """pynmea2.parse with the checksum verified; of a GSV every field is a string until asked."""
    import pynmea2 as parser

    lines = contents(folder, work + ".nmea").decode("ascii").splitlines()

    def once():
        return sum(parser.parse(line, check=True).identifier() != "" for line in lines)

    return once


def gpsdecode(folder, work):
    """Debian's gpsdecode: a process that also writes what it read as JSON, its start taken off."""
    sentences = contents(folder, work + ".nmea")

    def decoded(text):
        began = time.perf_counter_ns()
        done = subprocess.run(["gpsdecode"], input=text, capture_output=True, check=True)
        return time.perf_counter_ns() - began, done.stdout.count(b'"class":"SKY"')

    def once():
        start, _ = decoded(b"")
        took, skies = decoded(sentences * MANY)
        # One report of satellites for three GSV, which are three of five sentences.
        return (took - start) // MANY, 5 * skies // MANY

    return once


CONTENDERS = {
    "cobs": cobs,
    "MIN": min_host,
    "meshtastic": meshtastic,
    "bumble": bumble,
    "pynmea2": pynmea2,
    "gpsdecode": gpsdecode,
}


def main():
    name, folder, work = sys.argv[1:]
    once = CONTENDERS[name](folder, work)

    def timed():
        began = time.perf_counter_ns()
        right = once()
        return time.perf_counter_ns() - began, right

    turn = once if name == "gpsdecode" else timed
    for _ in sys.stdin:
        print(*turn(), flush=True)


if __name__ == "__main__":
    main()
