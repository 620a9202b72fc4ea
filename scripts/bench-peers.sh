#!/usr/bin/env bash
# Brings the peers of the benchmarks that come as sources or from PyPI into Benchmarks/.build:
# sources of libraries in C at the commits below, programs in Python in an environment of their own.
#   scripts/bench-peers.sh [sources] [python]      both by default
# PEERS=DIR has the sources in nanocobs/, cobs-c/, min/, minmea/ and speculos/: then nothing is
# cloned. What cannot be had is said, and its rows are "not measured".
set -euo pipefail
cd "$(dirname "$0")/.."

pinned=(
  nanocobs charlesnicholson/nanocobs a4104f4f8eee3dc50cb92653d037ad364d389d4d
  cobs-c cmcqueen/cobs-c 7afcc42cf7a7efa84f77360ec27bfc979e3cf93d
  min min-protocol/min 40315e7a3b8cb2940fa2e0cf870e274dadc66438
  minmea kosma/minmea a8745af0462870c1297fa4b8ee1ce13192485c3c
)
# Its sample application is in its sources alone.
speculos=(speculos LedgerHQ/speculos 96ea2a357cc91fea424986aa8902ba8540c1ba62)
out=Benchmarks/.build
sources=${PEERS:-$out/peers}
objects=$out/peer-objects
venv=$out/venv
cc=${CC:-clang}
missing=0

say_missing() {
  echo "peer $1" >&2
  missing=1
}

clone() { # NAME REPOSITORY COMMIT
  [[ -z ${PEERS:-} && ! -d $sources/$1 ]] || return 0
  rm -rf "$sources/$1.part"
  git init -q "$sources/$1.part"
  if git -C "$sources/$1.part" fetch -q --depth 1 "https://github.com/$2" "$3" &&
    git -C "$sources/$1.part" checkout -q FETCH_HEAD; then
    mv "$sources/$1.part" "$sources/$1"
  else
    rm -rf "$sources/$1.part"
  fi
}

compile() { # NAME
  rm -f "$objects/$1.so"
  if [[ $1 != fob-c && ! -d $sources/$1 ]]; then
    say_missing "$1: its source is not there"
  else
    "$cc" -O3 "$crc" -w -shared -fPIC -fvisibility=hidden -I "$sources" -I "$sources/$1" \
      "Benchmarks/Peers/$1.c" -o "$objects/$1.so" || say_missing "$1: it does not compile"
  fi
}

bring_sources() {
  case $(uname -m) in
  x86_64) crc=-msse4.2 ;;
  *) crc=-march=armv8-a+crc ;;
  esac
  mkdir -p "$objects"
  for ((i = 0; i < ${#pinned[@]}; i += 3)); do
    clone "${pinned[@]:i:3}" || true
  done
  # The reference in C of this repository: its source is always there.
  for name in nanocobs cobs-c min minmea fob-c; do compile "$name"; done
}

bring_python() {
  local wanted=Benchmarks/Python/requirements.txt
  if [[ ! -x $venv/bin/python ]]; then
    python3 -m venv "$venv" || {
      echo "bench-peers.sh: install python3-venv" >&2
      exit 1
    }
  fi
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted" ||
    say_missing "of $wanted: it cannot be had"
  clone "${speculos[@]}" || true
  [[ -d $sources/speculos ]] || say_missing "speculos: its source is not there"
}

mkdir -p "$out"
for what in "${@:-sources}"; do
  case $what in
  sources) bring_sources ;;
  python) bring_python ;;
  *)
    echo "bench-peers.sh: $what? There are sources and python" >&2
    exit 2
    ;;
  esac
done
if (($# == 0)); then bring_python; fi
exit "$missing"
