#!/bin/sh
# What tests the Python client, from PyPI into a folder of its own; prints that Python's path.
set -eu
cd "$(dirname "$0")/.."
venv=.build-client-venv
packages="build==1.6.1 mypy==2.4.1 pytest==9.2.0 pytest-xdist==3.8.0 setuptools==80.9.0"
if [ "$(cat "$venv/packages" 2>/dev/null)" != "$packages" ]; then
  python3 -m venv "$venv" || {
    echo "client-python.sh: install python3-venv" >&2
    exit 1
  }
  # shellcheck disable=SC2086
  "$venv/bin/pip" install --quiet --disable-pip-version-check $packages >&2
  echo "$packages" >"$venv/packages"
fi
echo "$PWD/$venv/bin/python"
