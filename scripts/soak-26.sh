#!/usr/bin/env bash
# The long tests of fob at home elsewhere: a broker that is killed a hundred times under presses,
# before a real Home Assistant; the package in a bare Debian; the image, built and played.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --product fob
scripts/home-assistant.sh "$(swift build --show-bin-path)/fob" --kills 100
make test-deb test-container
