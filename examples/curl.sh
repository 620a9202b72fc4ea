#!/bin/sh
# The HTTP API by curl, from the account to the document of an incident that was disarmed.
#   fob core --state /tmp/fob-example --config examples/core.yaml --listen 127.0.0.1:8787
#   examples/curl.sh http://127.0.0.1:8787 /tmp/fob-example/admin-token
# Needs a core that has no account yet. The keychain is of bench identity, the owner a role.
set -eu
url=${1:?names the core, as in http://127.0.0.1:8787}
token_file=${2:?names the file with an administrator token}
keychain=8000000000000001
pin=4711

# Token and body by standard input: other users of this host see a process's arguments.
ask() { # METHOD PATH [JSON]
  echo "$1 $2" >&2
  {
    printf 'header = "Authorization: Bearer %s"\n' "$(cat "$token_file")"
    if [ $# -gt 2 ]; then
      echo 'header = "Content-Type: application/json"'
      printf 'data = "%s"\n' "$(printf %s "$3" | tr '\n' ' ' | sed 's/[\"]/\\&/g')"
    fi
  } |
    curl --config - --silent --show-error --fail-with-body --max-time 20 --request "$1" "$url$2"
  echo
}

ask GET /v1/status

ask POST /v1/account '{"name": "Owner", "email": "owner@example.org",
  "mobile": "+15555550100", "country": "GB", "zone": "Europe/London"}'
ask PUT /v1/account/pin "{\"pin\": \"$pin\"}"
ask POST /v1/contacts '{"name": "Contact 1",
  "numbers": [{"number": "+15555550101", "chosen": true}]}'
ask PUT "/v1/devices/$keychain/claim"
ask PUT /v1/protection
ask POST /v1/account/set-up/finish

# A fall: the countdown of 120 s begins. The same key again would open no second incident.
ask POST /v1/triggers "{\"source\": \"fall\", \"device\": \"$keychain\", \"key\": \"curl-1\"}"

# The log as it grows. A stream has no end: curl ends it, which it says by 28.
echo 'GET /v1/events, for 2 s' >&2
printf 'header = "Authorization: Bearer %s"\n' "$(cat "$token_file")" |
  curl --config - --silent --no-buffer --max-time 2 "$url/v1/events?after=0" ||
  [ $? -eq 28 ]

ask POST /v1/incidents/current/silence
ask POST /v1/incidents/current/disarm "{\"pin\": \"$pin\"}"
ask POST /v1/incidents/current/resume

incident=$(ask GET '/v1/incidents?limit=1' | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
ask GET "/v1/incidents/$incident"
