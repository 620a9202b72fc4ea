"""What stays of a test: a folder with logs, the capture and a JUnit test case."""
import json
import pathlib
import re
import shutil
import typing
import xml.etree.ElementTree as ET

if typing.TYPE_CHECKING:
    from .bench import Bench

# Characters that XML 1.0 has no place for.
UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Characters of a log in the JUnit snippet; the whole log is beside it.
TAIL = 8000


def collect(bench: "Bench", folder: pathlib.Path, name: str,
            failure: typing.Optional[str]) -> pathlib.Path:
    """Writes FOLDER/NAME: every log, told.jsonl, status.json, the captures and junit.xml. What
    cannot be had, as of a core that is gone, is left out."""
    place = folder / re.sub(r"[^\w.-]+", "-", name).strip("-.")[:120]
    place.mkdir(parents=True, exist_ok=True)
    if bench.has_alarm:
        told = "".join(json.dumps(one) + "\n" for one in bench.alarm.told)
        (place / "told.jsonl").write_text(told, "utf-8")
    if bench.has_wire:
        bench.wire.close()
    for path in sorted([*bench.folder.glob("*.log"), *bench.folder.glob("*.pcapng")]):
        shutil.copyfile(path, place / path.name)
    (place / "status.json").write_text(json.dumps(bench.snapshot(), indent=1) + "\n", "utf-8")
    snippet = junit(name, failure, bench.properties, bench.tail())
    (place / "junit.xml").write_text(snippet, "utf-8")
    return place


def junit(name: str, failure: typing.Optional[str], properties: typing.Mapping[str, object],
          output: str) -> str:
    """One test case as the XML that CI systems show."""
    suite = ET.Element("testsuite", name="fob", tests="1", failures="1" if failure else "0")
    case = ET.SubElement(suite, "testcase", classname="fob", name=fit(name))
    if properties:
        rows = ET.SubElement(case, "properties")
        for key, value in properties.items():
            ET.SubElement(rows, "property", name=fit(key), value=fit(str(value)))
    if failure:
        ET.SubElement(case, "failure", message=fit(failure.strip().splitlines()[-1])).text = (
            fit(failure))
    ET.SubElement(case, "system-out").text = fit(output[-TAIL:])
    text: str = ET.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def fit(text: str) -> str:
    return UNFIT.sub("\ufffd", text)
