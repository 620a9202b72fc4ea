#!/usr/bin/env bash
# How long until an alarm is accepted: fob core beside Debian's prometheus-alertmanager, in one run.
#   FOB=PATH scripts/bench-accept.sh     the release build where there is no FOB
# TMPDIR chooses the disk. Prints a table and keeps its rows in Benchmarks/results.json; what cannot
# be had is "not measured".
set -euo pipefail
cd "$(dirname "$0")/.."

fob=${FOB:-$(swift build -c release --show-bin-path)/fob}
if [[ ! -x $fob ]]; then
  echo "bench-accept.sh: no $fob; make build CONFIG=release, or name one by FOB=" >&2
  exit 1
fi
version=$(prometheus-alertmanager --version 2>&1 | sed -n '1s/.*version \([0-9.]*\).*/\1/p') || true
echo "$(nproc) × $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(uname -sr)," \
  "Alertmanager ${version:-none}, load $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo
exec python3 Benchmarks/accept.py --fob "$fob" --results Benchmarks/results.json "$@"
