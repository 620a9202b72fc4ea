"""Telephone numbers and time zones of the world, as tables of AlertCore and vectors of its tests.

Needs phonenumbers and tzdata of PyPI in the versions that `make numbers` names.
"""

import pathlib
import textwrap

import phonenumbers
import tzdata
from phonenumbers import PhoneNumberFormat, PhoneNumberType

import emergency
from plan import plan, read
from samples import PERSONS, careful, digits_of, e164, examples

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "Sources/AlertCore/Account/Generated"
VECTORS = ROOT / "Tests/AlertCoreTests/Account/numbers.tsv"
SOURCE = (f"libphonenumber's data (Apache License 2.0), by phonenumbers {phonenumbers.__version__}"
          " of PyPI")


def ranges(lengths):
    """As in 5,7-9."""
    parts = []
    for one in sorted(lengths):
        if parts and parts[-1][1] == one - 1:
            parts[-1][1] = one
        else:
            parts.append([one, one])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def row(one):
    fields = [
        one.country, one.code, "main" if one.is_main else "-", str(one.care),
        ",".join(one.trunk) if one.is_national and one.trunk else "-",
        ",".join(one.abroad) or "-", ranges(one.lengths) if one.is_national else "-",
        ranges(one.mobile), ranges(one.own), emergency.told(one.country, one.code) or "-",
    ]
    return " ".join(fields)


def numbering(plans):
    rows = "\n".join(f'    "{row(one)}",' for one in plans)
    return f"""\
// Written by `make numbers`. Do not edit.

extension NumberingPlan {{
  /// {SOURCE}.
  ///
  /// Of each country: its two letters and its code, whether its rules are those of its code, the
  /// care, prefixes within and to abroad, lengths of numbers, of mobile ones, of mobile ones and
  /// fixed lines, and the emergency number; "-" for none.
  static let rows = [
{rows}
  ]
}}
"""


def zones():
    names = (pathlib.Path(tzdata.__file__).parent / "zones").read_text().split()
    # Of a system that nobody has set up yet.
    names.remove("Factory")
    text = "\n".join(
        "    " + line for line in textwrap.wrap(
            " ".join(sorted(names)), 96, break_on_hyphens=False, break_long_words=False))
    return f"""\
// Written by `make numbers`. Do not edit.

/// The time zones that exist: IANA's {tzdata.IANA_VERSION}, by tzdata {tzdata.__version__} of PyPI.
enum ZoneNames {{
  static let all = Set(
    text.split {{ $0 == " " || $0 == "\\n" }})

  private static let text = \"\"\"
{text}
    \"\"\"
}}
"""


def vectors(plans, mains):
    """Country, as it is written, E.164; "-" where it is to be refused, never to be misread."""
    lines = []
    for one in plans:
        for number in examples(one.country, PERSONS + (PhoneNumberType.TOLL_FREE,)):
            right = e164(number)
            national = phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)
            abroad = [one.abroad[0] + right[1:]] if one.abroad and len(right) > 7 else []
            for text in [national] + abroad:
                mine = read(digits_of(text), one, mains)
                lines.append(f"{one.country}\t{text}\t{mine or '-'}")
                if mine not in (None, right):
                    raise SystemExit(f"{one.country} {text} is read as {mine}")
    return "\n".join(lines) + "\n"


def main():
    first = [plan(one) for one in sorted(phonenumbers.SUPPORTED_REGIONS)]
    mains = {one.code: one for one in first if one.is_main}
    plans = [careful(one.country, mains) for one in first]
    TABLES.mkdir(exist_ok=True)
    (TABLES / "NumberingPlan+Table.swift").write_text(numbering(plans))
    (TABLES / "ZoneNames.swift").write_text(zones())
    VECTORS.write_text(vectors(plans, mains))
    print("only with a plus:", *[one.country for one in plans if not one.is_national])


if __name__ == "__main__":
    main()
