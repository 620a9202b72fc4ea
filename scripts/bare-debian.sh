#!/usr/bin/env bash
# A bare Debian 12 in a folder, made by debootstrap where it is not there; prints its path.
#   scripts/bare-debian.sh [FOLDER]     as root; .build/debian-12 where none is named
set -euo pipefail
cd "$(dirname "$0")/.."
base=${1:-.build/debian-12}
[[ $(id -u) == 0 ]] || { echo "bare-debian.sh: debootstrap needs root" >&2; exit 77; }
if [[ ! -f $base/made ]]; then
  rm -rf "$base"
  mkdir -p "$(dirname "$base")"
  echo "debootstrap makes $base" >&2
  debootstrap --variant=minbase bookworm "$base" http://deb.debian.org/debian >"$base.log" 2>&1 ||
    { tail -n 20 "$base.log" >&2; exit 1; }
  touch "$base/made"
fi
realpath "$base"
