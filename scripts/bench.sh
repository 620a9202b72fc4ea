#!/usr/bin/env bash
# Measures fob against its peers and against its bars; Benchmarks/README.md says what the rows mean.
#   scripts/bench.sh [PART]...      all but schedules by default, each anew
# Writes Benchmarks/results.json and the table of Benchmarks/README.md. What cannot be measured is
# "not measured", which is never "met". FOB=PATH measures that binary; PEERS=DIR has the peers'
# sources; TMPDIR chooses the disk.
set -euo pipefail
cd "$(dirname "$0")/.."

standard=(codec nmea count frames sentences echo press journal wal durable check-ins due calm
  button accept start page simulate load firmware seal bit-errors)
# An hour and more: the table keeps its row until all is measured anew.
long=(schedules)
out=Benchmarks/.build
left=$out/parts
objects=$out/peer-objects
parts=("$@")
for part in "${parts[@]}"; do
  if [[ " ${standard[*]} ${long[*]} " != *" $part "* ]]; then
    echo "bench.sh: no part '$part': there are ${standard[*]} ${long[*]}" >&2
    exit 2
  fi
done
mkdir -p "$left"
if ((${#parts[@]} == 0)); then
  parts=("${standard[@]}")
  rm -f "$left"/*
fi

scripts/bench-peers.sh sources || true
swift build --package-path Benchmarks -c release --product fob-bench
bench=$(swift build --package-path Benchmarks -c release --show-bin-path)/fob-bench
needs_fob=" due calm button accept start page simulate load schedules "
fob=${FOB:-}
for part in "${parts[@]}"; do
  if [[ -z $fob && $needs_fob == *" $part "* ]]; then
    swift build -c release --product fob
    fob=$(swift build -c release --show-bin-path)/fob
  fi
done

# The environment of bench-peers.sh where it is there: without it, its peers are not.
python=$out/venv/bin/python
if [[ ! -x $python ]]; then
  echo "bench.sh: without the peers in Python: make bench-peers installs them" >&2
  python=python3
fi
export PYTHONDONTWRITEBYTECODE=1
sources=${PEERS:-$out/peers}
if [[ -d $sources/min/host ]]; then export MIN_HOST=$sources/min/host; fi
if [[ -d $sources/speculos/apps ]]; then export SPECULOS_APPS=$sources/speculos/apps; fi

described() {
  local model swift
  model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
  swift=$(swift --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p')
  echo "$(git rev-parse --short HEAD 2>/dev/null || echo 'no commit'), $(date -u +%F)," \
    "$(nproc) × $model, $(uname -s) $(uname -r | cut -d - -f 1), $swift," \
    "$("${CC:-clang}" --version | sed -n '1s/ (.*//p'), load $(cut -d ' ' -f 1 /proc/loadavg)"
}

measure() { # PART FILE FOLDER
  case $1 in
  frames | sentences)
    "$python" Benchmarks/Python/turns.py "$1" --bench "$bench" --folder "$3" --results "$2"
    ;;
  count) python3 Benchmarks/Python/counts.py --bench "$bench" --peers "$objects" --results "$2" ;;
  due | calm) python3 "Benchmarks/Python/$1.py" --fob "$fob" --results "$2" ;;
  button) "$python" Benchmarks/Python/button.py --fob "$fob" --results "$2" ;;
  page) "$(scripts/page-python.sh)" Benchmarks/Python/page.py --fob "$fob" --results "$2" ;;
  accept) python3 Benchmarks/Python/accept.py --fob "$fob" --results "$2" ;;
  start | simulate | load | firmware | seal | bit-errors | schedules)
    python3 Benchmarks/Python/commands.py "$1" --fob "$fob" --results "$2"
    ;;
  *)
    "$bench" "$1" --peers "$objects" --python "$python" --results "$2" --folder "$3"
    ;;
  esac
}

failed=()
for part in "${parts[@]}"; do
  echo "== $part"
  folder=$(mktemp -d "${TMPDIR:-$out}/bench.XXXXXX")
  rm -f "$left/$part".{json,run}
  run=$(described)
  if measure "$part" "$left/$part.json" "$folder"; then
    echo "$run" >"$left/$part.run"
  else
    failed+=("$part")
    rm -f "$left/$part.json"
  fi
  rm -rf "$folder"
  echo
done
python3 Benchmarks/Python/results.py collect "$left" Benchmarks/results.json
if ((${#failed[@]} > 0)); then
  echo "bench.sh: not measured, see above: ${failed[*]}" >&2
  exit 1
fi
