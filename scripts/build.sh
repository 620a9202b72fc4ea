#!/usr/bin/env bash
# Builds fob, and says at which step it is and how long it has been at it. The tests build on what a
# debug build has made.
#   scripts/build.sh [debug|release]
set -euo pipefail
cd "$(dirname "$0")/.."

configuration=${1:-debug}
told() { printf 'build: %4d s  %s\n' "$SECONDS" "$*"; }

first=
if [[ ! -d .build/$configuration ]]; then
  first="; the first time it takes some minutes, and later ones compile what has changed"
fi
told "1 of 2: Swift packages, from their git repositories"
swift package resolve
told "2 of 2: compiles and links, $configuration, on $(nproc) processors$first"
swift build -c "$configuration" --product fob
told "built: $(swift build -c "$configuration" --show-bin-path)/fob"
