#!/bin/sh
# An emulated keychain in CI: no container, no hardware, no root.
#   FOB=PATH examples/ci/press.sh        fob of PATH where there is no FOB
# Starts a keychain and a bridge, waits until they are linked, presses, and asserts that the press
# became one incident that somebody was told of, and that its light says so. Put your own app in
# the place of the bridge: it opens $bench/keychain as it would open /dev/ttyACM0.
set -eu
fob=${FOB:-fob}
bench=$(mktemp -d)
# In a file that nobody else can read: what stands in a command line, others can.
(umask 077 && echo 2468 >"$bench/pin")

finish() {
  status=$?
  kill $started 2>/dev/null || true
  wait 2>/dev/null || true
  if [ $status -ne 0 ]; then tail -n 20 "$bench"/*.log >&2; fi
  rm -rf "$bench"
  exit $status
}
started=
trap finish EXIT
trap 'exit 1' INT TERM

keychain() { "$fob" ctl --socket "$bench/keychain.sock" "$@"; }
bridge() { "$fob" ctl --socket "$bench/bridge.sock" "$@"; }
fail() {
  echo "FAILED: $*" >&2
  exit 1
}
# Until what was started last has a socket to ask.
await() {
  started="$started $!"
  for _ in $(seq 100); do
    if [ -S "$1" ]; then return; fi
    kill -0 $! 2>/dev/null || fail "it ended before there was $1"
    sleep 0.1
  done
  fail "no $1 after 10 s"
}

"$fob" emulate --link "$bench/keychain" --control "$bench/keychain.sock" \
  >"$bench/keychain.log" 2>&1 &
await "$bench/keychain.sock"
keychain wait ready >/dev/null

"$fob" bridge --device "pty:$bench/keychain" --state "$bench/state" --pin-file "$bench/pin" \
  --control "$bench/bridge.sock" >"$bench/bridge.log" 2>&1 &
await "$bench/bridge.sock"
keychain wait linked >/dev/null
echo "linked"

event=$(keychain press | sed -n 's/.*"event":"\([^"]*\)".*/\1/p')
keychain wait acked --event "$event" >/dev/null
echo "pressed: event $event is stored by the keychain and committed by the core"

for _ in $(seq 100); do
  status=$(bridge status)
  case $status in *'"state":"EMERGENCY_SENT"'*) break ;; esac
  sleep 0.1
done
case $status in *'"state":"EMERGENCY_SENT"'*) ;; *) fail "nobody was told: $status" ;; esac
case $(bridge presses) in *"\"event\":\"$event\""*) ;; *) fail "no entry of $event" ;; esac
case $(keychain state) in *'"shown":"accepted"'*) ;; *) fail "$(keychain state)" ;; esac
echo "told, and the light says so"

bridge disarm --pin-file "$bench/pin" >/dev/null
case $(bridge status) in *EMERGENCY_ENDED*) ;; *) fail "the PIN did not end it" ;; esac
echo "disarmed"
