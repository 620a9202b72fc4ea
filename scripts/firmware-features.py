#!/usr/bin/env python3
"""What each feature of the keychain's firmware costs in flash: the sizes of the linked symbols, by
what their types are for. What the compiler has inlined counts where it was inlined, above all in
the main loop and where a frame is received.
  firmware-features.py LLVM-NM ELF"""
import re
import subprocess
import sys

# The first that fits has the symbol.
FEATURES = [
    ("main loop, with what is inlined into it", r"\brunKeychain\b"),
    ("a frame is received, with what is inlined", r"\bKeychain\.receive\b"),
    ("GPS: sentences and fixes",
     r"GPS|Sentence|Report|Field|UTC|Coordinates|FixKind|FixMode|Talker"),
    ("events: store, merge, resend", r"Unacked|EventStore|StoredRecord|EventRecord|EventIdentity"
     r"|EventAck|Keychain\.(?:evict|freeSlot|boot|begin|commit|merge|load|make)"),
    ("light", r"LED|Display|Indicat"),
    ("button", r"Debounc|button"),
    ("battery", r"Battery|Charge"),
    ("trace", r"[Tt]race"),
    ("drivers: bus, EEPROM, UART, timers, start",
     r"I2C|EEPROM|Port\b|\bvectors\b|\breset\b|UART|Timer|[iI]nterrupt"
     r"|Board|Clock|Flash|mem(?:cpy|set|move)|__aeabi"),
    ("pairing and seal", r"BLAKE2s|Seal|PairingKey|SessionKey|Pair\b|PairResult|Proof|Challenge"
     r"|Keychain\.(?:pair|unpair|prove|answer)"),
    ("frames and messages",
     r"Frame|CRC|Transmit|Link\b|DeviceLink|Hello|Heartbeat|Position|Config|Reject"
     r"|Time(?:Request|Response)|Firmware|Payload|write\(to:\)"
     r"|Keychain\.(?:send|hello|refuse|report|heartbeat)|TimeSync|COBS"),
]


def symbols(nm, elf):
    rows = subprocess.run(
        [nm, "--print-size", "--radix=d", elf], check=True, capture_output=True, text=True).stdout
    found = [row.split() for row in rows.splitlines()]
    # Code and constants; what the linker has folded stands at one address under several names.
    found = {row[0]: (int(row[1]), row[3])
             for row in found if len(row) == 4 and row[2] in "tTrRwW"}.values()
    names = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact"], check=True, capture_output=True,
        text=True, input="\n".join(name for _, name in found)).stdout.splitlines()
    return [(size, name) for (size, _), name in zip(found, names)]


def main(nm, elf):
    sums = {name: 0 for name, _ in FEATURES}
    sums["the rest"] = 0
    for size, symbol in symbols(nm, elf):
        name = next((name for name, form in FEATURES if re.search(form, symbol)), "the rest")
        sums[name] += size
    for name, size in sorted(sums.items(), key=lambda row: -row[1]):
        print(f"  {name:<44}{size:>6} bytes")


main(*sys.argv[1:])
