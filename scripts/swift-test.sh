#!/usr/bin/env bash
# Builds the tests, but for --skip-build first, and runs those that the other arguments name, as of
# swift test, within a time limit (TEST_SECONDS, 1500 by default); a test must run. The tests run
# without swift test, whose lock would let no two runs be at once.
# A process that a test leaves behind holds the pipes of whoever reads the output, so that he would
# not end. Such a process is named and stopped, and the run fails.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1:-} == --skip-build ]]; then shift; else swift build --build-tests --disable-xctest; fi
limit=${TEST_SECONDS:-1500}
grace=10
out=$(mktemp -d)

# The processes of the run, which has a session of its own, but for that of the tests.
started_by_tests() {
  local stat fields session
  for stat in /proc/[0-9]*/stat; do
    fields=$(cat "$stat" 2>/dev/null) || continue
    read -r _ _ _ session _ <<<"${fields##*) }"
    if [[ $session == "$run" && ${fields%% *} != "$run" ]]; then echo "${fields%% *}"; fi
  done
}

stop_them() {
  local pid command
  for pid in $(started_by_tests); do
    command=$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | cut -c1-90) || true
    if [[ -n $command ]]; then echo "  $pid $command"; fi
    kill -KILL "$pid" 2>/dev/null || true
  done
}

setsid .build/debug/fobPackageTests.xctest --testing-library swift-testing \
  --event-stream-output-path "$out/events" --event-stream-version 0 "$@" \
  >"$out/log" 2>&1 </dev/null &
run=$!
trap 'stop_them >/dev/null; kill -KILL "$run" 2>/dev/null || true; rm -rf "$out"' EXIT
trap 'exit 130' INT TERM
touch "$out/log"
tail -n +1 -f --pid="$run" "$out/log" &
reader=$!

fail=
stopped=
started=$SECONDS
closed=
while kill -0 "$run" 2>/dev/null; do
  sleep 0.5
  if [[ -z $closed ]] && grep -qs '"kind":"runEnded"' "$out/events"; then closed=$SECONDS; fi
  if [[ -n $closed ]] && ((SECONDS - closed > grace)); then
    fail="tests left processes behind"
  elif [[ -z $closed ]] && ((SECONDS - started > limit)); then
    fail="no end within $limit s"
  fi
  if [[ -n $fail ]]; then
    stopped=$(stop_them)
    # Without them it ends by itself and prints what it held back.
    sleep 5
    kill -KILL "$run" 2>/dev/null || true
    break
  fi
done

status=0
wait "$run" 2>/dev/null || status=$?
wait "$reader" || true
if [[ -z $fail ]] && ((status == 0)) && ! grep -qE 'Test run with [1-9]' "$out/log"; then
  fail="no test ran"
fi
# What failed once more at the end: whoever keeps the end of a log alone learns it too.
if ((status != 0)); then
  grep -aE -A 3 '^✘ .*recorded an issue|^✘ Test .* failed|: Fatal error|error: ' "$out/log" \
    | grep -avE '^(✔|◇|--)' | head -60 >&2 || true
fi
if [[ -n $fail ]]; then
  echo "swift-test.sh: $fail" >&2
  if [[ -n $stopped ]]; then echo "$stopped" >&2; fi
  status=1
fi
exit "$status"
