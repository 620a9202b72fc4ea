#!/usr/bin/env bash
# Which functions a press enters, from the return of read to the effects: counted by the compiler's
# own counters in one press of Tests/AlarmPath. Brings the table of DESIGN.md up to date.
#   --check  fails where DESIGN.md has another
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
LLVM_PROFILE_FILE=/dev/null timeout 60 "$bin/AlarmPath" "$folder/state" "$folder/press.profraw"
"$tools/llvm-profdata" merge -o "$folder/press.profdata" "$folder/press.profraw"
"$tools/llvm-cov" export --instr-profile "$folder/press.profdata" "$bin/AlarmPath" Sources/ \
  >"$folder/press.json"
python3 -B scripts/alarm-path.py "$folder/press.json" "$@"
