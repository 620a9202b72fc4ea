#!/usr/bin/env bash
# fob in a terminal: its view, its progress, and what is left of them. Arguments name tests, as in
# test_run.ViewTests. pyte of PyPI, in a folder of its own, shows what a terminal would.
#   FOB=.build/debug/fob   the program; the debug build where it is not named
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -z ${FOB:-} ]]; then
  swift build --product fob
  FOB="$(swift build --show-bin-path)/fob"
fi
FOB=$(realpath "$FOB")
export FOB
python=$(scripts/venv.sh .build-terminal-venv pyte==0.8.2 wcwidth==0.2.13)
cd Tests/TerminalTests
if (($# > 0)); then exec "$python" -B -m unittest "$@" -v; fi
exec "$python" -B -m unittest discover -p 'test_*.py'
