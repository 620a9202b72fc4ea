#!/bin/sh
# What drives a browser from Python, from PyPI into a folder of its own; prints that Python's path.
set -eu
cd "$(dirname "$0")/.."
venv=.build-page-venv
# Of the second only axe itself is wanted, and so nothing that it depends on.
packages="selenium==4.46.0 axe-playwright-python==0.1.8"
if [ "$(cat "$venv/packages" 2>/dev/null)" != "$packages" ]; then
  python3 -m venv "$venv" || {
    echo "page-python.sh: install python3-venv" >&2
    exit 1
  }
  "$venv/bin/pip" install --quiet --disable-pip-version-check "${packages% *}" >&2
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps "${packages#* }" >&2
  echo "$packages" >"$venv/packages"
fi
echo "$PWD/$venv/bin/python"
