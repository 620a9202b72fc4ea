#!/bin/sh
# Packages from PyPI in a folder of their own; prints that Python's path.
#   scripts/venv.sh FOLDER PACKAGE... [-- PACKAGE...]   those behind -- without what they depend on
set -eu
cd "$(dirname "$0")/.."
venv=$1
shift
# Whoever comes while it is being made waits for it.
mkdir -p "$venv"
exec 9<"$venv"
flock 9
if [ "$(cat "$venv/packages" 2>/dev/null)" != "$*" ]; then
  packages=$*
  python3 -m venv "$venv" || {
    echo "venv.sh: install python3-venv" >&2
    exit 1
  }
  alone=
  case $packages in *" -- "*) alone=${packages#* -- } ;; esac
  # shellcheck disable=SC2086
  "$venv/bin/pip" install --quiet --disable-pip-version-check ${packages% -- *} >&2
  if [ -n "$alone" ]; then
    # shellcheck disable=SC2086
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps $alone >&2
  fi
  echo "$packages" >"$venv/packages"
fi
echo "$PWD/$venv/bin/python"
