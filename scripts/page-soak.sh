#!/bin/sh
# FOB_MINUTES (60) of FOB_KEYCHAINS (50) keychains with a new position each second, watched by both
# documents of the page: fails where the memory of fob or of a document grows.
# FOB=PATH: of that binary.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${FOB:-}" ]; then
  swift build -c release --product fob
  FOB=$(swift build -c release --show-bin-path)/fob
fi
python=$(scripts/page-python.sh)
export PYTHONDONTWRITEBYTECODE=1
exec "$python" Benchmarks/Python/page_soak.py --fob "$FOB" \
  --minutes "${FOB_MINUTES:-60}" --keychains "${FOB_KEYCHAINS:-50}"
