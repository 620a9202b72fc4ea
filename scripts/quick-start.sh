#!/usr/bin/env bash
# What a newcomer waits for: a bare clone with empty package caches to "all clear", the release
# build, the tests. Fails beyond the bars of Benchmarks/README.md. Needs a machine that does nothing
# else.
#   scripts/quick-start.sh [run] [release] [test]     all of them without arguments
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A bars=([run]=360 [release]=540 [test]=1200)
(($#)) || set -- run release test
for what in "$@"; do
  if [[ -z ${bars[$what]-} ]]; then
    echo "quick-start: $what? There are run, release and test" >&2
    exit 2
  fi
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone --quiet . "$folder/fob"
# The tests read recorded receivers beside the clone, where they are there.
if [[ -d ../shared ]]; then ln -s "$(realpath ../shared)" "$folder/shared"; fi
export XDG_CACHE_HOME=$folder/cache
mkdir -p "$XDG_CACHE_HOME"
cd "$folder/fob"

missed=
for what in "$@"; do
  begun=$SECONDS
  case $what in
    run) make run </dev/null ;;
    release) make build CONFIG=release ;;
    test) make test ;;
  esac >"$folder/$what.log" 2>&1 || { tail -n 40 "$folder/$what.log" >&2; exit 1; }
  took=$((SECONDS - begun))
  if ((took > bars[$what])); then missed=1; fi
  printf '%-8s %5d s, bar %d s\n' "$what" "$took" "${bars[$what]}"
done
[[ -z $missed ]]
