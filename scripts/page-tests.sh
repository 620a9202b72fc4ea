#!/usr/bin/env bash
# The page in headless Chromium, played as a person would: by roles and names, from the one-time
# code to the end of an alarm. Arguments name tests, as in test_alarm or test_alarm.AlarmTests.
#   FOB=.build/debug/fob   the program; the debug build where it is not named
# Screenshots: .build/page-screenshots.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in chromium chromedriver; do
  command -v "$program" >/dev/null || {
    echo "page-tests.sh: install chromium and chromium-driver" >&2
    exit 1
  }
done
if [[ -z ${FOB:-} ]]; then
  swift build --product fob
  FOB="$(swift build --show-bin-path)/fob"
fi
FOB=$(realpath "$FOB")
SCREENSHOTS=$PWD/.build/page-screenshots
mkdir -p "$SCREENSHOTS"
if (($# == 0)); then rm -f "$SCREENSHOTS"/*.png; fi
export FOB SCREENSHOTS

python=$(scripts/page-python.sh)
cd Tests/PageTests
if (($# > 0)); then exec "$python" -B -m unittest "$@" -v; fi

exec "$python" -B all_tests.py
