#!/bin/sh
# The Python client and its bench, against the built program; arguments go to pytest.
#   FOB=.build/debug/fob   the program; the debug build where it is not named
set -eu
cd "$(dirname "$0")/.."
if [ -z "${FOB:-}" ]; then
  swift build --product fob
  FOB="$(swift build --show-bin-path)/fob"
fi
FOB=$(realpath "$FOB")
export FOB
python=$(scripts/client-python.sh)
# pytest would keep the folders of its last runs; and names of sockets have to be short.
base=$(mktemp -d)
trap 'rm -rf "$base"' EXIT
cd clients/python
# They wait most of the time: two files at once.
"$python" -B -m pytest -q -n 2 --dist loadfile --basetemp "$base/t" "$@"
