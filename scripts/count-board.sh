#!/usr/bin/env bash
# What the codec and NMEA cost on the keychain's processor: instructions, which are the same each
# time, counted in QEMU, where each takes a nanosecond (-icount shift=0). The compiler's settings
# are those of the firmware. A Cortex-M3 takes a cycle for most instructions, and more for loads,
# taken branches and multiplications.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/firmware.sh --counting >/dev/null
timeout 60 qemu-system-arm -M lm3s6965evb -kernel .build/firmware/fob-lm3s6965evb-counting.elf \
  -icount shift=0 -semihosting-config enable=on,target=native -display none -monitor none \
  -nodefaults -serial stdio 2>&1 | grep -vE "has no peer|period zero"
