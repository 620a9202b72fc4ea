#!/bin/sh
# labgrid and Robot Framework, and what tests fob's parts of them; prints that Python's path.
exec "$(dirname "$0")/venv.sh" .build-framework-venv labgrid==26.0.1 pytest==9.2.0 \
  pytest-xdist==3.8.0 robotframework==7.5
