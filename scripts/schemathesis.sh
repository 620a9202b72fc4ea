#!/bin/sh
# Asks the HTTP API all that its own document allows, and more: fails on any server error, and on
# any answer that the document does not have.
#   FOB_URL=http://127.0.0.1:8787 FOB_TOKEN=fob_… scripts/schemathesis.sh
# EXAMPLES (20; 500 with FOB_SOAK) for each operation. Schemathesis comes from PyPI, into a folder
# of its own.
set -eu
cd "$(dirname "$0")/.."
: "${FOB_URL:?names the core, as in http://127.0.0.1:8787}"
: "${FOB_TOKEN:?is an administrator token of fob token create}"
version=4.32.5
venv=.build-venv
if [ ! -x "$venv/bin/schemathesis" ]; then
  python3 -m venv "$venv" || {
    echo "schemathesis.sh: install python3-venv" >&2
    exit 1
  }
  "$venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi
if [ -n "${FOB_SOAK:-}" ]; then examples=${EXAMPLES:-500}; else examples=${EXAMPLES:-20}; fi
checks=not_a_server_error,status_code_conformance,content_type_conformance
checks=$checks,response_schema_conformance
# The streams never end, so they have tests of their own.
# What it remembers between runs stays in its folder, too.
cd "$venv"
exec bin/schemathesis run "$FOB_URL/v1/openapi.json" \
  --header "Authorization: Bearer $FOB_TOKEN" \
  --checks "$checks" \
  --exclude-path /v1/events --exclude-path /v1/feed/stream \
  --exclude-path /v1/bench/events \
  --phases examples,coverage,fuzzing --mode all --seed 5 \
  --max-examples "$examples" --request-timeout 20 --no-color
