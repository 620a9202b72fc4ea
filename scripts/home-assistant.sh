#!/bin/sh
# A real Home Assistant of PyPI beside a real mosquitto and a core; arguments as of the script.
#   scripts/home-assistant.sh FOB [--kills N]
set -eu
cd "$(dirname "$0")/.."
python=$(scripts/venv.sh .build-house-venv homeassistant==2024.3.3 paho-mqtt==1.6.1 \
  aiohttp_cors==0.7.0 aiohttp-fast-url-dispatcher==0.3.0 aiohttp-zlib-ng==0.3.1 janus==1.0.0)
"$python" -B scripts/home-assistant.py "$@"
