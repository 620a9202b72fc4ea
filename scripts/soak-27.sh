#!/usr/bin/env bash
# The long tests of many owners. Two hundred kills of a bridge and its keychains while a hundred
# owners press; accounts among others held against accounts alone, 200 seeds; 100,000 worlds, of
# which some have several owners; then the figures of the table, for a machine that does nothing
# else.
set -euo pipefail
cd "$(dirname "$0")/.."

export FOB_SOAK=1 TEST_SECONDS=${SOAK_SECONDS:-4200}
scripts/swift-test.sh --filter 'OwnersKillTests|AccountRowsTests|SeveralAccounts[A-Za-z]*Tests'
swift build -c release --product fob
fob="$(swift build -c release --show-bin-path)/fob"
"$fob" simulate --seeds 1..100000
for owners in 1 100 1000 10000; do
  "$fob" bench load --on memory: --owners each --keychains "$owners" --rate $((owners / 10 + 1)) \
    --seconds 20 --json
done
"$fob" bench load --on memory: --owners each --keychains 1000 --search rate --from 100 --most 8000 \
  --seconds 10 --json
"$fob" bench debounce
