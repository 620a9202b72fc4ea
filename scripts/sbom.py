#!/usr/bin/env python3
"""What a binary of fob is made of: an SPDX 2.3 document, the licences as their authors wrote them,
and Debian's copyright file.

    scripts/sbom.py PROGRAM VERSION DEPENDS SBOM NOTICES COPYRIGHT

PROGRAM was linked by SwiftPM; the list of its objects beside it names the packages. A program that
stands elsewhere is said to be of every package that was resolved. DEPENDS is Debian's field of that
name: the libraries that it loads.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMAT = "https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
SWIFT = "Apache-2.0 WITH Swift-exception"
# What stands in a licence's text, and its name in SPDX's list.
LICENCES = [("Runtime Library Exception", SWIFT), ("Apache License", "Apache-2.0"),
            ("Permission is hereby granted", "MIT")]


def texts_of(folder):
    """Licence and notices of a package, in the order of their names."""
    return [file.read_text(encoding="utf-8") for file in sorted(folder.iterdir())
            if re.match(r"(licen[cs]e|notice)", file.name, re.IGNORECASE)]


def licence_of(texts):
    for mark, name in LICENCES:
        if any(mark in text for text in texts):
            return name
    sys.exit("sbom.py: a licence that is not known; add its mark to LICENCES")


def linked_modules(program):
    """Names of the modules in the program; None where its link list is not there."""
    listing = program.parent / f"{program.name}.product" / "Objects.LinkFileList"
    if not listing.is_file():
        return None
    return set(re.findall(r"/([^/]+)\.build/", listing.read_text()))


def is_linked(folder, modules):
    return modules is None or any(
        (folder / place / module).is_dir() for module in modules for place in ("", "Sources"))


def swift_packages(program):
    """Of each package of Swift in the program: name, version, address, texts."""
    scratch = next((place for place in program.parents
                    if (place / "workspace-state.json").is_file()), ROOT / ".build")
    state = json.loads((scratch / "workspace-state.json").read_text())
    modules = linked_modules(program)
    for dependency in state["object"]["dependencies"]:
        folder = scratch / "checkouts" / dependency["subpath"]
        if is_linked(folder, modules):
            yield (dependency["packageRef"]["identity"],
                   dependency["state"]["checkoutState"]["version"],
                   dependency["packageRef"]["location"], texts_of(folder))


def runtime():
    """Swift's own libraries, which are linked into a released program."""
    compiler = pathlib.Path(os.popen("command -v swiftc").read().strip()).resolve()
    text = (compiler.parent.parent / "share" / "swift" / "LICENSE.txt").read_text()
    version = re.search(r"Swift version (\S+)", os.popen("swiftc --version 2>&1").read())
    return "swift", version.group(1), "https://github.com/swiftlang/swift", [text]


def package(name, version, licence, address="NOASSERTION"):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name,
        "versionInfo": version, "downloadLocation": address, "filesAnalyzed": False,
        "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}


def holders(texts):
    """Who says to have the copyright, as in the lines of the licence."""
    found = re.findall(r"^\s*Copyright (?:\(c\) |© )?(\d{4}.*?)\s*$", "\n".join(texts),
                       re.M | re.I)
    return sorted(set(found)) or ["its authors, see NOTICES"]


def field(name, lines):
    return f"{name}: " + "\n ".join(lines) + "\n"


def words(linked, licence, beginning):
    """The lines of that licence from there on, in the first package that has them."""
    return next(text[text.index(beginning):].strip().splitlines()
                for _, other, texts in linked if other == licence
                for text in texts if beginning in text)


def copyright_file(linked):
    """In Debian's machine-readable form. `linked`: name, licence and texts of what is in the
    program."""
    text = field("Format", [FORMAT])
    text += field("Upstream-Name", ["fob"])
    text += "\n" + field("Files", ["*"]) + field("Copyright", ["2026 the fob developers"])
    text += field("License", ["Apache-2.0"])
    short = {SWIFT: "Apache-2.0 with Swift exception", "MIT": "Expat"}
    for name, licence, texts in linked:
        text += "\n" + field("Files", [f"linked/{name}/*"]) + field("Copyright", holders(texts))
        text += field("License", [short.get(licence, licence)])
        text += field("Comment", ["Linked into /usr/bin/fob. Its own words stand in",
                                  "/usr/share/doc/fob/NOTICES."])
    apache = ["On Debian systems the text of the Apache License 2.0 stands in",
              "/usr/share/common-licenses/Apache-2.0."]
    exception = words(linked, SWIFT, "As an exception, if you use this Software")
    grant = words(linked, "MIT", "Permission is hereby granted")
    for name, body in (("Apache-2.0", apache), (short[SWIFT], [*apache, *exception]),
                       ("Expat", grant)):
        text += "\n" + field("License", [name, *(line.strip() or "." for line in body)])
    return text


def main():
    program, version, depends, sbom, notices, copyright = sys.argv[1:]
    program = pathlib.Path(program).resolve()
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    house = package("fob", version, "Apache-2.0")
    house["checksums"] = [
        {"algorithm": "SHA256", "checksumValue": hashlib.sha256(program.read_bytes()).hexdigest()}]
    packages, written, linked = [house], [], []
    for name, release, address, texts in [*swift_packages(program), runtime()]:
        if not texts:
            sys.exit(f"sbom.py: {name} has no licence")
        packages.append(
            package(name, release, licence_of(texts), f"git+{address}@{release}"))
        linked.append((name, licence_of(texts), texts))
        written.append(f"{name} {release}\n{'=' * 72}\n" + "\n".join(texts))
    for name, release in re.findall(r"([a-z0-9.+-]+)(?: \(>= ([^)]+)\))?", depends):
        packages.append(package(name, release or "NOASSERTION", "NOASSERTION"))
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", house["SPDXID"])]
    relations += [(house["SPDXID"], "DEPENDS_ON", other["SPDXID"]) for other in packages[1:]]
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"fob-{version}", "documentNamespace":
        f"https://fob.example.org/spdx/fob-{version}-{house['checksums'][0]['checksumValue'][:16]}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Tool: fob-sbom", "Organization: The fob developers"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}
            for one, kind, other in relations]}
    pathlib.Path(sbom).write_text(json.dumps(document, indent=1) + "\n")
    pathlib.Path(notices).write_text("\n\n".join(written) + "\n", encoding="utf-8")
    pathlib.Path(copyright).write_text(copyright_file(linked), encoding="utf-8")


if __name__ == "__main__":
    main()
