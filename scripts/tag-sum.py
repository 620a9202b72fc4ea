#!/usr/bin/env python3
"""Prints one sum over the tags of COUNT inputs, by Python's hashlib: ManyTagsTests makes the same
sum in Swift and in C.

  scripts/tag-sum.py COUNT"""
import hashlib
import sys

PERSONS = [b"fob-pair", b"fob-prov", b"fob-host", b"fob-devi", b"fob-evnt"]
WORD = (1 << 64) - 1


def tag_sum(count):
    total = 0
    for i in range(count):
        key = ((i + 1) * 0x9E3779B97F4A7C15 & WORD).to_bytes(8, "little") + i.to_bytes(8, "little")
        message = (key * 13)[: 1 + i % 200]
        digest = hashlib.blake2s(message, key=key, person=PERSONS[i % 5]).digest()
        total += int.from_bytes(digest[:8], "little") * (2 * i + 1)
    return total & WORD


print(tag_sum(int(sys.argv[1])))
