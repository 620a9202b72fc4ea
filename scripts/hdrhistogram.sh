#!/bin/sh
# Prints the path of a Python that has HdrHistogram's own reader of logs: hdrhistogram of PyPI, in a
# folder of its own, which is made where it is not there.
set -eu
cd "$(dirname "$0")/.."
version=0.10.8
venv=$PWD/.build-venv/hdrhistogram-$version
if [ ! -e "$venv/ready" ]; then
  rm -rf "$venv"
  mkdir -p .build-venv
  /usr/bin/python3 -m venv "$venv" || {
    echo "hdrhistogram.sh: install python3-venv" >&2
    exit 1
  }
  "$venv/bin/pip" install --quiet --disable-pip-version-check "hdrhistogram==$version" >&2
  touch "$venv/ready"
fi
echo "$venv/bin/python"
