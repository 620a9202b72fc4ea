#!/usr/bin/env python3
"""The dates of drawn rules of check-ins, by dateutil and the machine's own zone database.

An oracle for AlertCore's Recurrence and the bridge's ZoneTables, with which it shares no code. Each
line is a rule as the core stores it, its zone, until when it is expanded, and every moment before:
when it falls due, seconds since 1970, and its key. Needs python3-dateutil.
"""

import argparse
import json
import random
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

from dateutil.rrule import DAILY, MO, MONTHLY, WEEKLY, YEARLY, rrule, weekday

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
GROUPS = {"weekdays": range(5), "weekend": range(5, 7), "day": range(7)}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
YEARS = 10
# What Debian calls the zone of the machine is no zone of an account.
ZONES = sorted(available_timezones() - {"localtime"})


def some(of, draw):
    return draw.sample(of, draw.randint(1, len(of)))


def day_of_month(draw):
    if draw.random() < 0.4:
        return {"day": draw.choice([1, 13, 28, 29, 30, 31, draw.randint(1, 31)])}
    return {"ordinal": draw.choice([*ORDINALS, "every"]),
            "weekday": draw.choice([*WEEKDAYS, *GROUPS])}


def drawn(draw):
    """A rule, its minute and its days; those that ask each hour or so are rare: they are long."""
    every = draw.choice([1, 1, 2, 3, draw.randint(1, 30), draw.randint(1, 999)])
    kind = draw.choice(["once", "days", "weeks", "months", "months", "years", "years"])
    rule = {"kind": kind, "every": every}
    if kind == "once":
        del rule["every"]
    elif kind == "days":
        times = draw.choice([1, 1, 2, 3, 4, draw.randint(1, 24)])
        if times > 3:
            rule["every"] = draw.choice([1, *[draw.randint(2, 400)] * 9])
        rule |= {"times": times, "hoursApart": draw.randint(1, min(23, 48 // times))}
    elif kind == "weeks":
        rule["weekdays"] = some(WEEKDAYS, draw)
    else:
        if kind == "years":
            rule["months"] = some(list(range(1, 13)), draw)
        rule |= day_of_month(draw)
    start = date(2026, 1, 1) + timedelta(days=draw.randint(0, 729))
    rule |= {"start": start.isoformat(),
             # Times at which clocks change, and any.
             "minute": draw.choice([0, 30, 60, 90, 120, 150, 180, draw.randint(0, 1439)])}
    if draw.random() < 0.3:
        rule["end"] = (start + timedelta(days=draw.randint(0, 365 * YEARS))).isoformat()
    return rule


def days_of_month(rule, frequency, month, common):
    """The days of one month of each year, or of each month where `month` is None."""
    common = common | ({"bymonth": month} if month else {})
    if "day" in rule:
        return rrule(frequency, bymonthday=rule["day"], **common)
    place, group = ORDINALS.get(rule["ordinal"]), rule["weekday"]
    if group == "day":
        return rrule(frequency, bymonthday=place or list(range(1, 32)), **common)
    if group not in GROUPS:
        number = WEEKDAYS.index(group)
        return rrule(frequency, byweekday=weekday(number, place) if place else number, **common)
    days = {"byweekday": list(GROUPS[group])}
    return rrule(frequency, **days, **({"bysetpos": place} if place else {}), **common)


def days(rule, horizon):
    """The days on which the rule asks, to a little after the horizon."""
    start = datetime.combine(date.fromisoformat(rule["start"]), time())
    last = horizon + timedelta(days=5)
    if "end" in rule:
        last = min(last, datetime.combine(date.fromisoformat(rule["end"]), time()))
    common = {"dtstart": start, "until": last, "interval": rule.get("every", 1), "wkst": MO}
    match rule["kind"]:
        case "once":
            return [start] if start <= last else []
        case "days":
            return rrule(DAILY, **common)
        case "weeks":
            weekdays = [WEEKDAYS.index(day) for day in rule["weekdays"]]
            return rrule(WEEKLY, byweekday=weekdays, **common)
        case "months":
            return days_of_month(rule, MONTHLY, None, common)
    return [day for month in rule["months"] for day in days_of_month(rule, YEARLY, month, common)]


def moments(rule, zone, horizon):
    """By seconds since 1970; of two at once the one of the earlier day."""
    found = {}
    end = int(horizon.replace(tzinfo=timezone.utc).timestamp())
    for day in days(rule, horizon):
        first = day + timedelta(minutes=rule["minute"])
        for index in range(rule.get("times", 1)):
            # Python's fold of 0 is RFC 5545's rule: before a gap, and the first of two.
            local = first + timedelta(hours=index * rule.get("hoursApart", 1))
            due = int(local.replace(tzinfo=zone).timestamp())
            if due < end:
                name = (day, index, f"{first:%Y%m%dT%H%M}" + (f"-{index}" if index else ""))
                found[due] = min(found.get(due, name), name)
    return end, [f"{due} {name}" for due, (_, _, name) in sorted(found.items())]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seed", type=int, default=1, help="of the drawing (default 1)")
    arguments.add_argument("--rules", type=int, default=100, help="how many (default 100)")
    given = arguments.parse_args()
    draw = random.Random(given.seed)
    for number in range(given.rules):
        # Every zone has its turn.
        name = ZONES[(given.seed * given.rules + number) % len(ZONES)]
        rule = drawn(draw)
        horizon = datetime.fromisoformat(rule["start"]) + timedelta(days=365 * YEARS)
        end, found = moments(rule, ZoneInfo(name), horizon)
        print(json.dumps({"zone": name, "rule": rule, "until": end, "moments": found}))


if __name__ == "__main__":
    main()
