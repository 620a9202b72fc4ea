#!/usr/bin/env bash
# What plays the page from Python, into a folder of its own; prints the path of that Python.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=Tests/PageTests/requirements.txt
venv=.build/page-python
if ! cmp -s "$wanted" "$venv/has.txt"; then
  python3 -m venv "$venv" || {
    echo "page-python.sh: install python3-venv" >&2
    exit 1
  }
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$wanted" >&2
  cp "$wanted" "$venv/has.txt"
fi
echo "$PWD/$venv/bin/python"
