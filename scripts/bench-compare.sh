#!/usr/bin/env bash
# Whether fob bench latency --compare can be trusted: comparisons between which nothing was changed,
# and others where the new side has 20 µs of work planted in one stage.
#   scripts/bench-compare.sh COUNT [SECONDS]      COUNT of each kind; of so many seconds
# FOB: the program, by default of the release build. AGAINST: "program" runs it beside itself,
# "file" compares runs one after the other. DELAY: the µs that are planted. WORSE: how many of the
# unchanged may be called worse, by default one in twenty. PACING: as --max-pacing-error. It fails
# where more are, or where fewer than nineteen in twenty of the planted are, naming the stage.
set -euo pipefail
cd "$(dirname "$0")/.."

count=${1:?how many pairs of each kind}
fob=${FOB:-.build/release/fob}
against=${AGAINST:-program}
length=(${2:+--duration "$2"})
stages=(decide durable ack)
delay=${DELAY:-20}
allowed=${WORSE:-$((count / 20))}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case $against in
program) old=$fob ;;
file) old=$folder/old.json ;;
*) echo "bench-compare: AGAINST is program or file" >&2 && exit 64 ;;
esac

# Runs once; the verdict of the exit status stands in $status, what was printed in $folder/said.
run() { # ARGUMENT...
  status=0
  "$fob" bench latency "${length[@]}" --max-pacing-error "${PACING:-1000}" "$@" \
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
  measure --save "$1"
  ((status == 0)) || fail "a run without comparison ended with $status"
}

verdict() {
  case $status in
  0) ;;
  1) grep -q 'a stage is worse than it was' "$folder/said" || fail "a run went wrong" ;;
  *) fail "a comparison ended with $status" ;;
  esac
}

# Of runs one after the other, one is the baseline of the two that follow it: all three met one
# state of the machine.
worse=0
found=0
for ((pair = 0; pair < count; pair++)); do
  [[ $against == program ]] || baseline "$old"
  measure --compare "$old"
  verdict
  worse=$((worse + status))
  echo "unchanged $((pair + 1)): $( ((status == 0)) && echo not worse || echo WORSE)"
  if ((status == 1)); then grep -E ' is (worse|better): ' "$folder/said" | sed 's/^/  /' || true; fi

  stage=${stages[pair % ${#stages[@]}]}
  measure --compare "$old" --plant "$stage:$delay"
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
