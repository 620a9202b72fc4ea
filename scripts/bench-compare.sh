#!/usr/bin/env bash
# Whether fob bench latency --compare can be trusted: pairs of runs between which nothing was
# changed, and pairs of which the second has 20 µs of work planted in one stage.
#   scripts/bench-compare.sh COUNT [SECONDS]      COUNT pairs of each kind; of so many seconds
# FOB: the program, by default of the release build. DELAY: the µs that are planted. WORSE: how many
# of the unchanged may be called worse, by default one in twenty. PACING: as --max-pacing-error. It
# fails where more are, or where fewer than nineteen in twenty of the planted are, naming the stage.
set -euo pipefail
cd "$(dirname "$0")/.."

count=${1:?how many pairs of each kind}
seconds=${2:-12}
fob=${FOB:-.build/release/fob}
stages=(decide durable ack)
delay=${DELAY:-20}
allowed=${WORSE:-$((count / 20))}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Runs once; the verdict of the exit status stands in $status, what was printed in $folder/said.
run() { # ARGUMENT...
  status=0
  "$fob" bench latency --duration "$seconds" --warm-up 1 --max-pacing-error "${PACING:-1000}" "$@" \
    >"$folder/said" 2>&1 || status=$?
}

# A machine that did not keep to the times is asked again, twice at the most.
measure() { # ARGUMENT...
  local attempt
  for attempt in 1 2 3; do
    run "$@"
    ((status == 71)) || return 0
    echo "  refused (attempt $attempt): $(tail -n 1 "$folder/said")"
  done
}

fail() {
  cat "$folder/said"
  echo "bench-compare: $1" >&2
  exit 1
}

baseline() { # FILE
  measure --json "$1"
  ((status == 0)) || fail "a run without comparison ended with $status"
}

verdict() {
  case $status in
  0) ;;
  1) grep -q 'is worse than in the earlier run' "$folder/said" || fail "a run went wrong" ;;
  *) fail "a comparison ended with $status" ;;
  esac
}

# A run is the baseline of the two that follow it: all three met one state of the machine.
worse=0
found=0
for ((pair = 0; pair < count; pair++)); do
  baseline "$folder/old.json"
  measure --compare "$folder/old.json"
  verdict
  worse=$((worse + status))
  echo "unchanged $((pair + 1)): $( ((status == 0)) && echo not worse || echo WORSE)"
  if ((status == 1)); then grep -E ' is (worse|better): ' "$folder/said" | sed 's/^/  /' || true; fi

  stage=${stages[pair % ${#stages[@]}]}
  measure --compare "$folder/old.json" --plant "$stage:$delay"
  verdict
  if ((status == 1)) && grep -qE "^$stage(, work)? is worse: " "$folder/said"; then
    found=$((found + 1))
    echo "planted $((pair + 1)), $stage: found"
  else
    echo "planted $((pair + 1)), $stage: MISSED"
    sed 's/^/  /' "$folder/said"
  fi
done

echo "$count unchanged: $worse worse; $count planted: $found found and named ($SECONDS s)"
((worse <= allowed)) || fail "unchanged runs were called worse"
(((count - found) * 20 <= count)) || fail "planted delays were missed"
