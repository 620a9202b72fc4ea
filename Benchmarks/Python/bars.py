"""Every bar that fob's speed and size are held to, and which rows of which part are held to it."""

import re
from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Bar:
    """A limit on ours divided by the peer's figure, or on ours alone.

    Its name stands for its row where nothing was measured.
    """

    name: str
    part: str
    peer: str
    #: Names of the rows that are held to it, as a regular expression; the bar's own is one.
    rows: str
    most: Optional[float] = None
    least: Optional[float] = None
    #: Whether the limit is on the ratio, or on our figure alone.
    on_ratio: bool = True
    unit: str = ""

    def holds(self, row):
        """Whether this bar is the one of that row of its part."""
        return re.fullmatch(self.rows, row["name"]) is not None

    @property
    def text(self):
        limit = self.least if self.most is None else self.most
        figure = f"{limit:.2f}" if self.on_ratio else f"{limit:,.0f}"
        return f"{'≥' if self.most is None else '≤'} {figure}" + (
            "" if self.on_ratio or not self.unit else f" {self.unit}"
        )

    def is_met(self, ours, ratio):
        figure = ratio if self.on_ratio else ours
        if figure is None:
            return "not measured"
        return figure >= self.least if self.most is None else figure <= self.most


def ratio(name, part, peer, most, rows=None, unit="µs"):
    return Bar(name, part, peer, rows or re.escape(name), most=most, unit=unit)


def figure(name, part, unit, most=None, least=None):
    rows = re.escape(name)
    return Bar(name, part, "", rows, most=most, least=least, on_ratio=False, unit=unit)


LIBRARIES = "the fastest of nanocobs, cobs-c, MIN"

BARS = [
    ratio("decode + CRC, random", "codec", LIBRARIES, 0.75, unit="ns"),
    ratio("decode + CRC, 30 % zeros", "codec", LIBRARIES, 0.40, unit="ns"),
    ratio("NMEA sentence, all taken apart", "nmea", "minmea", 0.25, unit="ns"),
    ratio("NMEA sentence, position only", "nmea", "minmea", 0.25, unit="ns"),
    ratio("pty echo", "echo", "blocking in C", 1.05, r"pty echo.*"),
    ratio("t1→t3, median", "press", "one-way in C", 1.25, r"t1→t3.*median"),
    ratio("t1→t3, p99", "press", "one-way in C", 1.25, r"t1→t3.*p99"),
    ratio("t1→t3 with the journal", "journal", "without it", 1.25, r"t1→t3.*"),
    ratio("t1→t4", "wal", "one-way in C, append, fdatasync", 1.30, r"t1→t4.*"),
    ratio("durable event", "durable", "SQLite, the same rows", 1.25, r"durable event.*"),
    # A hundredth of a processor, of a minute of it.
    figure("check-ins, 10,000 series wait", "check-ins", "µs/min", most=600_000),
    figure("check-ins, 10,000 due at once, all asked", "check-ins", "ms", most=200),
    figure("check-in due → its light, p99", "due", "ms", most=50),
    ratio("t1→t3 while breathing runs, median", "calm", "without it", 1.02),
    figure("keychains of one core, memory:", "load", "", least=10_000),
    figure("keychains of one bridge, unix:", "load", "", least=1_000),
    ratio("press→decided of 1,000, p99", "load", "of one keychain", 5),
    figure("state of one keychain", "load", "B", most=4_096),
    figure("simulated device-seconds, quiet", "simulate", "a second", least=1_000_000),
    figure("simulated device-seconds, 1 Hz GPS", "simulate", "a second", least=100_000),
    figure("firmware, text", "firmware", "B", most=24_576),
    figure("firmware, RAM", "firmware", "B", most=6_144),
    figure("firmware, heap", "firmware", "B", most=0),
    figure("EVENT sealed, Cortex-M3 at 50 MHz", "seal", "µs", most=600),
    figure("EVENT sealed, Cortex-M0 at 16 MHz", "seal", "µs", most=4_000),
    figure("fob run, exec to armed, median", "start", "ms", most=100),
    figure("press on the page → LED on the page, median", "page", "ms", most=50),
    figure("first view of the page complete, median", "page", "ms", most=300),
    figure("weight of the page", "page", "KB", most=200),
    figure("wrong accepts of 1- and 2-bit errors", "bit-errors", "", most=0),
    figure("presses lost or doubled in 1,000,000 schedules", "schedules", "", most=0),
]
