#!/usr/bin/env bash
# What people install fob by: man pages, changelog, containers, monitoring, the action. Arguments
# name tests, as in test_manpages.
#   FOB=.build/debug/fob   the program; the debug build where it is not named
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -z ${FOB:-} ]]; then
  swift build --product fob
  FOB="$(swift build --show-bin-path)/fob"
fi
FOB=$(realpath "$FOB")
export FOB
cd Tests/InstallTests
if (($# > 0)); then exec python3 -B -m unittest "$@" -v; fi
exec python3 -B -m unittest discover -p 'test_*.py'
