#!/bin/sh
# Alarm receivers of others, by ANSI/SIA DC-09; prints that Python's path.
exec "$(dirname "$0")/venv.sh" .build-receiver-venv pysiaalarm==3.2.2 siadc09==1.0.1
