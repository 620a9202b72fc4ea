#!/usr/bin/env bash
# The long search of the seeded world, and what it is worth:
#   FOB_SCHEDULES seeds (1,000,000) in release on all cores: no rule is broken;
#   the first of them in debug and in release: each world is the same to the byte;
#   every planted mistake is found: a table of the seeds that it took;
#   how many device-seconds one core plays a second.
# All of it within SOAK_SECONDS (4200).
set -euo pipefail
cd "$(dirname "$0")/.."

schedules=${FOB_SCHEDULES:-1000000}
limit=${SOAK_SECONDS:-4200}
compared=$((schedules < 2000 ? schedules : 2000))
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# fob ends a search in good order when it is asked to: then nothing is to follow.
trap 'exit 130' INT TERM

left() { echo $((limit > SECONDS ? limit - SECONDS : 1)); }

played() { # STATUS WHAT
  if (($1 == 124)); then echo "simulate: $2: no end within $limit s" >&2; fi
  return "$1"
}

build() { # CONFIGURATION; its last line is the path
  swift build -c "$1" --product fob >&2
  echo "$(swift build -c "$1" --show-bin-path)/fob"
}

hashes() { # FOB NAME
  timeout --foreground "$(left)" "$1" simulate --seeds "1..$compared" --hash >"$out/$2" || {
    played $? "hashes, $2" || tail -n 80 "$out/$2"
    return 1
  }
  grep -E '^[0-9]+ [0-9a-f]{16}$' "$out/$2" >"$out/$2.hashes"
  echo "$2: $(tail -n 1 "$out/$2")"
  if (($(wc -l <"$out/$2.hashes") != compared)); then
    echo "simulate: not every seed has a hash" >&2
    return 1
  fi
}

release=$(build release)
debug=$(build debug)

echo "== $schedules schedules"
timeout --foreground "$(left)" "$release" simulate --seeds "1..$schedules" || played $? search

echo "== the first $compared in both builds"
hashes "$release" release
hashes "$debug" debug
diff "$out/release.hashes" "$out/debug.hashes" >"$out/differences" || {
  head -n 20 "$out/differences"
  echo "simulate: release and debug play different worlds" >&2
  exit 1
}
echo "the same hash for each"

echo "== planted mistakes"
FOB_SOAK=1 TEST_SECONDS=$(left) \
  scripts/swift-test.sh --filter 'PlantedMistakeTests|SearchBudgetTests' | tee "$out/planted"
echo
sed -nE 's/^(.*): found at seed ([0-9]+), ([A-Za-z]+)$/\2\t\1\t\3/p' "$out/planted" | sort -n |
  awk -F '\t' '
    { printf "%6d  %-52s  %s\n", $1, $2, $3 }
    END {
      print NR " mistakes found"
      exit NR == 0
    }'

echo "== one core, nothing happens"
"$release" simulate --speed quiet
"$release" simulate --speed gps
