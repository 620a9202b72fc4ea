#!/usr/bin/env bash
# The long tests of check-ins. The calendar day by day for ten thousand years, drawn rules in drawn
# zones; then 10,000 rules over all zones of the zone database for ten years, held against Python's
# dateutil and zoneinfo. Then a core is killed 200 times between a check-in's falling due and its
# limit, ten thousand series are listed by the API, and 100,000 worlds, of which one in four has
# check-ins, are judged.
set -euo pipefail
cd "$(dirname "$0")/.."

export FOB_SOAK=1 TEST_SECONDS=${SOAK_SECONDS:-4200}
scripts/swift-test.sh --filter 'CivilDateTests|Recurrence[A-Za-z]*Tests|ZoneTableMakerTests'
scripts/swift-test.sh --skip-build --filter 'CheckInKillTests|LiveCheckInTests'
swift build -c release --product fob
"$(swift build -c release --show-bin-path)/fob" simulate --seeds 1..100000
