#!/usr/bin/env bash
# The long tests of the sealed link. 100,000 worlds with somebody on the wires, who has no key;
# every mistake that was planted in the seal is found; the tags of ten million inputs are the same
# in Swift, in C and in Python's hashlib; the time that a release takes tells nothing of a key.
set -euo pipefail
cd "$(dirname "$0")/.."

export FOB_SOAK=1 TEST_SECONDS=${SOAK_SECONDS:-4200}
swift build -c release --product fob
"$(swift build -c release --show-bin-path)/fob" simulate --attacked --seeds 1..100000
scripts/constant-time.sh
FOB_TAG_SUM=$(scripts/tag-sum.py 10000000)
export FOB_TAG_SUM
scripts/swift-test.sh --filter 'AttackedTests|ManyTagsTests|PlantedMistakeTests.*seal'
