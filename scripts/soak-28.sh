#!/usr/bin/env bash
# The long tests of the micro:bit, and of the other board beside it. Both images are built and held
# to their budgets; version 2's registers are held against the vendor's. The store is cut at each
# step; in QEMU 100 cuts of the power under presses, 1,000 seeds in lockstep, every chapter of the
# conformance suite. Then the same in short once more, while other programs keep both processors
# busy. BOARD_TESTS names the boards' tests; make soak-28 sets it.
set -euo pipefail
cd "$(dirname "$0")/.."

make registers
for board in microbit microbit-v2; do scripts/firmware.sh "$board"; done
export TEST_SECONDS=${SOAK_SECONDS:-4200}
FOB_SOAK=1 scripts/swift-test.sh --filter "FlashStoreTests|$BOARD_TESTS"

busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true' EXIT
for _ in 1 2 3 4; do
  (while :; do :; done) &
  busy+=($!)
done
scripts/swift-test.sh --skip-build --filter "$BOARD_TESTS"
