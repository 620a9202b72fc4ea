#!/bin/sh
# The Python client and its bench, and its parts for labgrid and Robot Framework, against the built
# program.
#   scripts/client-tests.sh                           all of it
#   scripts/client-tests.sh tests|frameworks [ARG…]   one of the two; arguments go to pytest
#   FOB=.build/debug/fob   the program; the debug build where it is not named
set -eu
cd "$(dirname "$0")/.."
if [ -z "${FOB:-}" ]; then
  swift build --product fob
  FOB="$(swift build --show-bin-path)/fob"
fi
FOB=$(realpath "$FOB")
export FOB
# pytest would keep the folders of its last runs; and names of sockets have to be short.
base=$(mktemp -d)
trap 'rm -rf "$base"' EXIT
client=$(scripts/client-python.sh)
framework=$(scripts/framework-python.sh)
run() {
  if [ "$1" = tests ]; then python=$client; else python=$framework; fi
  # They wait most of the time: two files at once.
  (cd clients/python && "$python" -B -m pytest -q -n 2 --dist loadfile --basetemp "$base/t" "$@")
}
if [ $# -gt 0 ]; then
  run "$@"
  exit
fi

run tests
PATH="$(dirname "$framework"):$PATH" scripts/documents.py --with frameworks "$FOB" \
  docs/how-to/labgrid.md docs/how-to/robot.md &
documents=$!
ran=0
run frameworks || ran=$?
wait "$documents"
exit "$ran"
