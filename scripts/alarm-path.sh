#!/usr/bin/env bash
# Which functions a press enters, from the return of read to the effects, and on to the light:
# counted by the compiler's own counters in one press of Tests/AlarmPath. Brings the table of
# docs/explanation/alarm-path.md up to date.
#   --check  fails where the document has another
#   --read   prints the functions themselves, in that order
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build/alarm-path
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
swift build --product AlarmPath --scratch-path $scratch \
  -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping >"$folder/build.log" 2>&1 ||
  { cat "$folder/build.log" >&2; exit 1; }
bin=$(swift build --scratch-path $scratch --show-bin-path)
tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
LLVM_PROFILE_FILE=/dev/null timeout 60 "$bin/AlarmPath" "$folder/state" \
  "$folder/commit.profraw" "$folder/light.profraw"
for part in commit light; do
  "$tools/llvm-profdata" merge -o "$folder/$part.profdata" "$folder/$part.profraw"
  "$tools/llvm-cov" export --instr-profile "$folder/$part.profdata" "$bin/AlarmPath" Sources/ \
    >"$folder/$part.json"
done
python3 -B scripts/alarm-path.py "$folder/commit.json" "$folder/light.json" "$@"
