#!/bin/sh
# The page in headless Chromium, played as a person would: by roles and names, from the one-time
# code to the end of an alarm. Arguments name tests, as in test_alarm.py or test_alarm.AlarmTests.
#   FOB=.build/debug/fob   the program, which is built where it is not named
# Screenshots: .build/page-screenshots. Selenium and axe come from PyPI, into a folder of their own.
set -eu
cd "$(dirname "$0")/.."
venv=.build-page-venv
packages="selenium==4.46.0 axe-selenium-python==3.0.0"
if [ "$(cat "$venv/packages" 2>/dev/null)" != "$packages" ]; then
  python3 -m venv "$venv" || {
    echo "page-tests.sh: install python3-venv" >&2
    exit 1
  }
  # shellcheck disable=SC2086
  "$venv/bin/pip" install --quiet --disable-pip-version-check $packages
  echo "$packages" >"$venv/packages"
fi
for program in chromium chromedriver; do
  command -v "$program" >/dev/null || {
    echo "page-tests.sh: install chromium and chromium-driver" >&2
    exit 1
  }
done
if [ -z "${FOB:-}" ]; then
  swift build --product fob
  FOB="$(swift build --show-bin-path)/fob"
fi
SCREENSHOTS="$PWD/.build/page-screenshots"
mkdir -p "$SCREENSHOTS"
rm -f "$SCREENSHOTS"/*.png
export FOB SCREENSHOTS
cd Tests/PageTests
if [ "$#" -eq 0 ]; then set -- discover -p "test_*.py"; fi
exec "../../$venv/bin/python" -B -m unittest -v "$@"
