#!/usr/bin/env python3
"""Compares Boards/nrf5/registers.tsv with the vendor's register descriptions and with the sources.
  registers.py SVD_ZIP   svd_data.zip of the PyPI package pyocd, with nrf51.svd and nrf52833.svd
An address of the ADC differs in what it is on both chips: the folder of a version names its own."""
import re
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

BOARD = Path(__file__).resolve().parent.parent / "Boards/nrf5"
CHIPS = ("nrf51", "nrf52833")
# A base that is an argument, by file.
ARGUMENTS = {"Timer.swift": (0x40008000, 0x40009000)}


def described(svd):
    """Every register's name and address. Of an array the first, without its index."""
    found = {}
    root = ElementTree.fromstring(svd)
    peripherals = {p.findtext("name"): p for p in root.iter("peripheral")}

    def walk(node, prefix, base):
        for child in node or ():
            if child.tag not in ("register", "cluster"):
                continue
            name = re.sub(r"\[?%s\]?", "", child.findtext("name"))
            address = base + int(child.findtext("addressOffset"), 0)
            if child.tag == "register":
                found[f"{prefix}.{name}"] = address
            else:
                walk(child, f"{prefix}.{name}", address)

    for name, peripheral in peripherals.items():
        origin = peripherals.get(peripheral.get("derivedFrom"), peripheral)
        registers = peripheral.find("registers")
        walk(registers if registers is not None else origin.find("registers"), name,
             int(peripheral.findtext("baseAddress"), 0))
    return found


def used(path):
    """The addresses of registers that a source names."""
    text = re.sub(r"(?<=\w)_(?=[0-9A-F])", "", path.read_text())
    bases = {name: (int(value, 16),)
             for name, value in re.findall(r"let (\w+): UInt = 0x([0-9A-F]+)", text)}
    bases.setdefault("base", bases.get("port", ()))
    for base, one, high, low in re.findall(
            r"\b(\w+)(?:\([\w.]+\))? \+ "
            r"(?:0x([0-9A-F]+)|\(high \? 0x([0-9A-F]+) : 0x([0-9A-F]+)\))", text):
        for begin in bases.get(base) or ARGUMENTS.get(path.name, ()):
            if begin >= 0x10000000:
                yield from (begin + int(offset, 16) for offset in (one, high, low) if offset)
    for address in re.findall(r"Register\(0x([0-9A-F]+)\)", text):
        yield int(address, 16)


def main(archive):
    failures = []
    rows = [line.split("\t") for line in (BOARD / "registers.tsv").read_text().splitlines()
            if not line.startswith("#")]
    table = {int(row[0], 16): row[1:] for row in rows}
    with zipfile.ZipFile(archive) as svds:
        for column, chip in enumerate(CHIPS):
            names = described(svds.read(f"{chip}.svd"))
            for address, row in table.items():
                name = row[column]
                if name != "-" and names.get(name) != address:
                    where = names.get(name)
                    failures.append(f"{chip}: {name} is at {where and f'{where:08X}'}, "
                                    f"not at {address:08X}")
    found = {}
    for path in sorted(BOARD.rglob("*.swift")):
        for address in used(path):
            if address < 0x20000000 or 0x40000000 <= address < 0x60000000:
                found.setdefault(address, path.name)
    for address, path in found.items():
        if address not in table:
            failures.append(f"{path}: {address:08X} is not in registers.tsv")
    failures += [f"registers.tsv: no source uses {address:08X}" for address in table
                 if address not in found]
    for failure in failures:
        print(f"registers: {failure}", file=sys.stderr)
    print(f"registers: {len(table)} rows, {len(found)} addresses of the sources, "
          f"{len(failures)} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
