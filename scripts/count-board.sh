#!/usr/bin/env bash
# What the codec, NMEA and the seal cost on the keychain's processor: instructions, which are the
# same each time, counted in QEMU, where each takes a nanosecond (-icount shift=0). The compiler's
# settings are those of the firmware. A Cortex-M3 takes a cycle for most instructions, and more for
# loads, taken branches and multiplications. With --cortex-m0 the code and the core are those of a
# Cortex-M0, on the same board.
set -euo pipefail
cd "$(dirname "$0")/.."

variant=counting
processor=cortex-m3
if [[ ${1:-} == --cortex-m0 ]]; then
  variant=counting-m0
  processor=cortex-m0
fi
scripts/firmware.sh --$variant >/dev/null
timeout 60 qemu-system-arm -M lm3s6965evb -cpu $processor \
  -kernel .build/firmware/fob-lm3s6965evb-$variant.elf \
  -icount shift=0 -semihosting-config enable=on,target=native -display none -monitor none \
  -nodefaults -serial stdio 2>&1 | grep -vE "has no peer|period zero"
