#!/bin/sh
# What drives a browser from Python; prints that Python's path. Of the second package only axe
# itself is wanted, and so nothing that it depends on.
exec "$(dirname "$0")/venv.sh" .build-page-venv selenium==4.46.0 -- axe-playwright-python==0.1.8
