#!/usr/bin/env bash
# Measures fob against its peers and prints a table; Benchmarks/README.md says what the rows mean.
#   scripts/bench.sh [codec] [nmea] [press] [durable] [count]      all of them by default
# PEERS=DIR has the peers' sources in nanocobs/, cobs-c/, min/ and minmea/. Without it they are
# cloned at the commits below. What cannot be had is "not measured", which is never "met".
set -euo pipefail
cd "$(dirname "$0")/.."

pinned=(
  nanocobs charlesnicholson/nanocobs a4104f4f8eee3dc50cb92653d037ad364d389d4d
  cobs-c cmcqueen/cobs-c 7afcc42cf7a7efa84f77360ec27bfc979e3cf93d
  min min-protocol/min 40315e7a3b8cb2940fa2e0cf870e274dadc66438
  minmea kosma/minmea a8745af0462870c1297fa4b8ee1ce13192485c3c
)
out=Benchmarks/.build
results=Benchmarks/results.json
peers=${PEERS:-$out/peers}
objects=$out/peer-objects
cc=${CC:-clang}
parts=("$@")
if ((${#parts[@]} == 0)); then parts=(codec nmea press durable count); fi

clone() { # NAME REPOSITORY COMMIT
  [[ ! -d $peers/$1 ]] || return 0
  git init -q "$peers/$1.part"
  if git -C "$peers/$1.part" fetch -q --depth 1 "https://github.com/$2" "$3" &&
    git -C "$peers/$1.part" checkout -q FETCH_HEAD; then
    mv "$peers/$1.part" "$peers/$1"
  else
    rm -rf "$peers/$1.part"
  fi
}

compile() { # NAME
  rm -f "$objects/$1.so"
  if [[ $1 != fob-c && ! -d $peers/$1 ]]; then
    echo "peer $1: its source is not there" >&2
  else
    "$cc" -O3 "$crc" -w -shared -fPIC -fvisibility=hidden -I "$peers" -I "$peers/$1" \
      "Benchmarks/Peers/$1.c" -o "$objects/$1.so"
  fi
}

case $(uname -m) in
x86_64) crc=-msse4.2 ;;
*) crc=-march=armv8-a+crc ;;
esac

mkdir -p "$out" "$objects"
for ((i = 0; i < ${#pinned[@]}; i += 3)); do
  if [[ -z ${PEERS:-} ]]; then clone "${pinned[@]:i:3}" || true; fi
  compile "${pinned[i]}" || echo "peer ${pinned[i]}: does not compile" >&2
done

# The reference in C of this repository: its source is always there.
compile fob-c

swift build --package-path Benchmarks -c release --product fob-bench
bench=$(swift build --package-path Benchmarks -c release --show-bin-path)/fob-bench

echo
echo "$(nproc) × $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(uname -sr)," \
  "$(swift --version 2>/dev/null | sed -n 's/.*\(Swift version [0-9.]*\).*/\1/p')," \
  "$("$cc" --version | head -n 1), load $(cut -d ' ' -f 1-3 /proc/loadavg)"
echo

# Instructions of one unit of work: the difference of two runs, so that what is done once is out.
instructions() { # PART NAME UNITS_OF_A_BLOCK
  local blocks counts=()
  for blocks in 10 60; do
    counts+=("$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$out/fob-bench-plain" \
      "$1" --peers "$objects" --only "$2" --blocks "$blocks" 2>&1 >/dev/null |
      sed -n 's/^.*refs: *//p' | tr -d ,)")
  done
  echo "| $1 | $2 | $(((counts[1] - counts[0]) / (50 * $3))) |"
}

count() {
  if ! command -v valgrind >/dev/null; then
    echo "instructions: not measured, valgrind is not installed"
    return 0
  fi
  # Valgrind cannot read the compiler's debug information.
  strip --strip-debug -o "$out/fob-bench-plain" "$bench"
  echo "| instructions | by | a frame or sentence |"
  echo "| --- | --- | ---: |"
  local name
  for name in fob nanocobs cobs-c min fob-c; do
    if [[ $name == fob || -f $objects/$name.so ]]; then instructions codec "$name" 4000; fi
  done
  for name in fob minmea; do
    if [[ $name == fob || -f $objects/$name.so ]]; then instructions nmea "$name" 4000; fi
  done
}

for part in "${parts[@]}"; do
  case $part in
  count) count ;;
  *)
    folder=$(mktemp -d "$out/bench.XXXXXX")
    "$bench" "$part" --peers "$objects" --results $results --folder "$folder" || failed=1
    rm -rf "$folder"
    ;;
  esac
  echo
done
"$bench" table --results $results
exit "${failed:-0}"
