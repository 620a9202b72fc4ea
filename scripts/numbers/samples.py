"""Numbers to compare by: libphonenumber's examples, and random ones that are valid."""

import random
from dataclasses import replace

import phonenumbers
from phonenumbers import PhoneNumberFormat, PhoneNumberType

from plan import international, plan, read

PERSONS = (PhoneNumberType.FIXED_LINE, PhoneNumberType.MOBILE)
TYPES = PERSONS + (
    PhoneNumberType.TOLL_FREE, PhoneNumberType.SHARED_COST, PhoneNumberType.PREMIUM_RATE,
    PhoneNumberType.VOIP, PhoneNumberType.PERSONAL_NUMBER)


def digits_of(text):
    return "".join(one for one in text if one in "0123456789")


def e164(number):
    return phonenumbers.format_number(number, PhoneNumberFormat.E164)


def of_library(digits, country):
    """What libphonenumber reads; None where it reads nothing, or no number that is valid."""
    try:
        number = phonenumbers.parse(digits, country)
    except phonenumbers.NumberParseException:
        return None
    return e164(number) if phonenumbers.is_valid_number(number) else None


def examples(country, types=TYPES):
    found = [phonenumbers.example_number_for_type(country, one) for one in types]
    return [one for one in found if one]


def valid(country, types, count, chance):
    """Examples of these types, and numbers made from them by other digits."""
    for example in examples(country, types):
        yield example
        text = phonenumbers.national_significant_number(example)
        for _ in range(count):
            kept = chance.randint(1, len(text) - 1)
            tail = "".join(chance.choice("0123456789") for _ in text[kept:])
            try:
                made = phonenumbers.parse(f"+{example.country_code}{text[:kept]}{tail}", None)
            except phonenumbers.NumberParseException:
                continue
            if phonenumbers.is_valid_number_for_region(made, country):
                yield made


def differences(one, mains, chance, count=200):
    """Digits that are read otherwise than by libphonenumber, which is the one that is right."""
    def differs(text, right):
        mine = read(text, one, mains)
        return mine is not None and mine != right

    for number in valid(one.country, TYPES, count, chance):
        written = digits_of(phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL))
        if differs(written, e164(number)):
            yield written
        if international(e164(number)[1:], mains) != e164(number) and len(e164(number)) > 7:
            raise SystemExit(f"{e164(number)} is changed")
    for number in valid(one.country, PERSONS, count, chance):
        if differs(e164(number)[1:], e164(number)):
            yield e164(number)[1:]
    for _ in range(count):
        length = chance.choice(sorted(one.own))
        tail = "".join(chance.choice("0123456789") for _ in range(length))
        text = one.code + tail
        right = of_library(text, one.country)
        if right and differs(text, right):
            yield text


def careful(country, mains):
    """The plan with the least care by which nothing is misread; else without national numbers."""
    for care in (0, 1, 2):
        tried = replace(plan(country), care=care)
        if next(differences(tried, mains, random.Random(country)), None) is None:
            return tried
    return replace(plan(country), is_national=False)
