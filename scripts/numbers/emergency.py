"""Which of a country's emergency numbers is told.

The numbers are libphonenumber's. Where it knows several, it does not say which is general; then
the first rule that holds decides:

1. `CHOSEN`, below;
2. 112 in the European Economic Area, Switzerland and their neighbours that have it;
3. 911 where the country's code is 1;
4. the only one that there is;
5. 112, 999 or 911, in this order: where one of them is an emergency number, it is general.

Else the country counts as not known, and 112 is told with its own words.
"""

import re

from phonenumbers.phonemetadata import PhoneMetadata

# The general number where libphonenumber has it, else that of the police, who are asked to send the
# others. Compared on 2026-11-25 with four public datasets, none of them official:
#
# - vamel/travelApp, EMERGENCY_NUMBERS.ts (of 2025);
# - roderickhsiao/emergency-numbers, metadata.ts (of 2024; it names Wikipedia's list);
# - DennisGross/aidlines, data.js (of 2024);
# - a table "emergencyNumbersByCountry", whose repository and date are not known.
#
# A country is here where at least two of them give its number, as general or for the police, and
# libphonenumber has it. Where they differ, one that two give as general comes first, then the one
# that most give for the police. Beyond that: GB GG JE KE have several general ones, and 999 is
# told; AR is two against two, and 911 is told, which a third gives for the ambulance; and for ET
# and MN other pages decided, by which the police have 991 and 102 (OSAC 2021; Mongolian news of
# 2024 and 2026, when MN was about to move to 112). No number was tried, and no national plan was
# read.
#
# Left out, so that 112 is told as where it is not known: AM GF GP KG NC PF PM, where two give 112
# as general, or next to each other number, and libphonenumber lacks it; PG, where all four give 112
# for the police, likewise; MR, where three give 117, which it lacks; GM, where two give 117 and the
# other two others; TM, where none gives the 02 that it has.
CHOSEN = {
    "AE": "999", "AF": "119", "AR": "911", "AU": "000", "BB": "211", "BD": "999", "BF": "17",
    "BN": "993", "BO": "110", "BQ": "911", "BR": "190", "BT": "113", "CC": "000", "CL": "133",
    "CN": "110", "CO": "123", "CR": "911", "CU": "106", "CW": "911", "CX": "000", "DJ": "17",
    "EC": "911", "EG": "122", "ET": "991", "GB": "999", "GG": "999", "GH": "191", "GT": "110",
    "HK": "999", "HT": "114", "IL": "100", "JE": "999", "JM": "119", "JO": "911", "JP": "110",
    "KE": "999", "KH": "117", "KM": "17", "KR": "112", "LA": "191", "LK": "119", "MA": "19",
    "MF": "17", "MG": "117", "ML": "17", "MN": "102", "MV": "119", "MX": "911", "MY": "999",
    "MZ": "119", "NA": "10111", "NE": "17", "NI": "118", "NP": "100", "NZ": "111", "OM": "9999",
    "PE": "105", "PH": "911", "PK": "15", "SN": "17", "SO": "888", "TD": "17", "TG": "117",
    "TH": "191", "TJ": "112", "TN": "197", "TT": "999", "TW": "110", "VE": "911", "VN": "113",
    "WF": "15",
}

# Where the rules below would tell a number that these datasets contradict: the country counts as
# not known.
UNSURE = set("BY DM DZ ER HN KP LS NG NU SA TO".split())

EUROPE = set(
    "AD AL AT AX BE BG CH CY CZ DE DK EE ES FI FO FR GL GR HR HU IE IS IT LI LT LU LV MC MD ME"
    " MK MT NL NO PL PT RE RO RS SE SI SJ SK SM TR UA VA XK YT MQ".split())


def numbers(country):
    """All that libphonenumber has, by trying each of two to five digits."""
    meta = PhoneMetadata.short_metadata_for_region(country)
    pattern = meta.emergency.national_number_pattern if meta and meta.emergency else None
    if not pattern:
        return []
    lengths = [n for n in meta.emergency.possible_length or (2, 3, 4, 5) if n <= 5]
    every = (f"{n:0{length}}" for length in lengths for n in range(10 ** length))
    return [one for one in every if re.fullmatch(pattern, one)]


def told(country, code):
    """None: not known."""
    known = [] if country in UNSURE else numbers(country)
    if country in CHOSEN:
        if CHOSEN[country] not in known:
            raise SystemExit(f"{country}: {CHOSEN[country]} is none of {known}")
        return CHOSEN[country]
    if country in EUROPE and "112" in known:
        return "112"
    if code == "1" and "911" in known:
        return "911"
    if len(known) == 1:
        return known[0]
    return next((one for one in ("112", "999", "911") if one in known), None)
