#!/usr/bin/env bash
# The long tests of messages, calm and reviews. Every planted mistake; the pace of breathing, also
# on the Cortex-M in QEMU; 100,000 worlds, of which one in five has messages, one in five exercises,
# and one in five reviews; then a core that runs, whose files, log, stream, metrics and memory are
# searched for words of a review, before its account is erased and after; how soon the review is
# usable, a hundred times; and what breathing costs the alarm.
set -euo pipefail
cd "$(dirname "$0")/.."

export FOB_SOAK=1 TEST_SECONDS=${SOAK_SECONDS:-4200}
scripts/swift-test.sh --filter \
  'PlantedMistakeTests|ErasureTests|LEDPatternTests|QEMUBreathingTests'
swift build -c release --product fob
fob=$(swift build -c release --show-bin-path)/fob
"$fob" simulate --seeds 1..100000
scripts/leak-search.py --fob "$fob"
FOB=$fob scripts/page-tests.sh \
  test_reviews.ReviewTests.test_it_is_usable_within_two_seconds test_tasks
results=$(mktemp)
trap 'rm -f "$results"' EXIT
python3 -B Benchmarks/Python/calm.py --fob "$fob" --results "$results"
