"""Numbering plans of all countries in a simple form, and how a number is read by it.

`read` says in Python what PhoneNumber.swift says in Swift.
"""

import itertools
import re._constants as sre
import re._parser as sre_parser
from dataclasses import dataclass

import phonenumbers
from phonenumbers.phonemetadata import PhoneMetadata


@dataclass(frozen=True)
class Plan:
    """One country: prefixes as people dial them, lengths without prefix and country's code."""

    country: str
    code: str
    is_main: bool
    trunk: tuple
    abroad: tuple
    lengths: frozenset
    mobile: frozenset
    # Lengths of numbers of fixed lines and mobile ones.
    own: frozenset
    # How careful one has to be with numbers that begin as the country's code does: see `national`.
    care: int = 0
    # False: this form does not carry the country's rules, and only numbers with a plus are taken.
    is_national: bool = True


def expanded(pattern, most=16, longest=5):
    """Every text that a pattern matches; None where there are too many, or groups with a rule."""
    def words(parts):
        found = [""]
        for kind, value in parts:
            if kind is sre.LITERAL:
                choices = [chr(value)]
            elif kind is sre.IN:
                choices = []
                for inner, one in value:
                    if inner is sre.LITERAL:
                        choices.append(chr(one))
                    elif inner is sre.RANGE:
                        choices += [chr(code) for code in range(one[0], one[1] + 1)]
                    else:
                        choices += list("0123456789")
            elif kind is sre.BRANCH:
                choices = list(itertools.chain.from_iterable(words(one) for one in value[1]))
            elif kind is sre.SUBPATTERN:
                if value[0] is not None:
                    raise ValueError(pattern)
                choices = words(value[3])
            elif kind is sre.MAX_REPEAT:
                low, high, inner = value
                if high > 4:
                    raise ValueError(pattern)
                once = words(inner)
                choices = ["".join(c) for n in range(low, high + 1)
                           for c in itertools.product(once, repeat=n)]
            else:
                raise ValueError(pattern)
            found = [a + b for a in found for b in choices]
            if len(found) > 4096:
                raise ValueError(pattern)
        return found

    try:
        every = {one for one in words(sre_parser.parse(pattern)) if one and len(one) <= longest}
    except ValueError:
        return None
    return sorted(every) if 0 < len(every) <= most else None


def abroad_prefixes(meta):
    """What is dialled before the code of another country: the shortest, at most 48 characters.

    Where one begins with another, a number may be read in two ways: then there are none.
    """
    every = expanded(meta.international_prefix or "", most=4096) or ()
    if any(a != b and b.startswith(a) for a in every for b in every):
        return ()
    found = sorted(every, key=lambda one: (len(one), one))
    while len(",".join(found)) > 48:
        found.pop()
    return tuple(found)


def trunk_prefixes(meta):
    """What is dialled before a number within the country and is no part of it."""
    simple = expanded(meta.national_prefix_for_parsing or "", most=4, longest=2)
    if simple is not None:
        return tuple(sorted(simple, key=lambda one: (-len(one), one)))
    return (meta.national_prefix,) if meta.national_prefix else ()


def plan(country):
    meta = PhoneMetadata.metadata_for_region(country)
    general = frozenset(meta.general_desc.possible_length)
    mobile = meta.mobile.possible_length if meta.mobile else ()
    fixed = meta.fixed_line.possible_length if meta.fixed_line else ()
    mobile = frozenset(n for n in mobile if n > 0) or general
    return Plan(
        country=country, code=str(meta.country_code),
        is_main=bool(meta.main_country_for_code) or alone(meta.country_code),
        trunk=trunk_prefixes(meta), abroad=abroad_prefixes(meta),
        lengths=general, mobile=mobile,
        own=mobile | frozenset(n for n in fixed if n > 0))


def alone(code):
    return len(phonenumbers.COUNTRY_CODE_TO_REGION_CODE[code]) == 1


def national(digits, plan):
    """The number without its trunk prefix; None: it is none of this country's."""
    for prefix in plan.trunk:
        rest = digits[len(prefix):]
        # No number begins with a zero where a zero is dialled before it.
        is_doubled = prefix == "0" and rest.startswith("0")
        if digits.startswith(prefix) and len(rest) in plan.lengths and not is_doubled:
            return rest
    # Without the prefix it may be a number of the same town, unless it is as long as a mobile one.
    known = plan.mobile if plan.trunk else plan.lengths
    return digits if len(digits) in known and not may_have_code(digits, plan) else None


def may_have_code(digits, plan):
    """It may be a number whose plus was left out. Care 1 trusts the lengths of mobile numbers."""
    rest = len(digits) - len(plan.code)
    if plan.care == 0 or not digits.startswith(plan.code) or rest not in plan.own:
        return False
    return plan.care == 2 or len(digits) not in plan.mobile or rest in plan.mobile


def read(digits, plan, mains):
    """E.164 of digits without a plus; None: they are not understood."""
    for prefix in plan.abroad:
        rest = digits[len(prefix):]
        if digits.startswith(prefix) and not rest.startswith("0"):
            return international(rest, mains)
    if not plan.is_national:
        return None
    found = national(digits, plan)
    return "+" + plan.code + found if found else None


def international(digits, mains):
    """E.164 of what stands behind a plus: the trunk prefix of its country is left out."""
    main = next((mains[digits[:n]] for n in (1, 2, 3) if digits[:n] in mains), None)
    if main:
        digits = main.code + without_trunk(digits[len(main.code):], main)
    return "+" + digits if 7 <= len(digits) <= 15 else None


def without_trunk(rest, main):
    for prefix in main.trunk:
        is_possible = len(rest) - len(prefix) in main.lengths
        is_needed = prefix == "0" or len(rest) not in main.lengths
        if rest.startswith(prefix) and is_possible and is_needed:
            return rest[len(prefix):]
    return rest
