#!/bin/sh
# What tests the Python client; prints that Python's path.
exec "$(dirname "$0")/venv.sh" .build-client-venv build==1.6.1 mypy==2.4.1 pytest==9.2.0 \
  pytest-xdist==3.8.0 setuptools==80.9.0
