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

# Two browsers at once, as one waits most of the time.
bench=(test_access test_bench test_keychain test_records test_session test_wire)
owner=(test_alarm test_pictures test_rows test_set_up test_tasks test_truth)
for file in test_*.py; do
  [[ " ${bench[*]} ${owner[*]} " == *" ${file%.py} "* ]] || owner+=("${file%.py}")
done
said=$(mktemp)
trap 'rm -f "$said"' EXIT
"$python" -B -m unittest -v "${bench[@]}" >"$said" 2>&1 &
status=0
"$python" -B -m unittest -v "${owner[@]}" || status=1
wait $! || status=1
cat "$said"
exit "$status"
