#!/usr/bin/env python3
"""The peer by pyserial: what comes on the line that its first argument names goes back at once."""

import contextlib
import sys

import serial

line = serial.Serial(sys.argv[1], timeout=None)
# Until the line has gone.
with contextlib.suppress(serial.SerialException):
    while True:
        line.write(line.read(max(1, line.in_waiting)))
