#!/usr/bin/env bash
# Runs each fuzz entry Fuzz/Fuzz*.swift or .c, or the one named, for the given number of seconds.
# The modules that an entry imports are built with coverage, AddressSanitizer and the checks of a
# debug build, because a release build does not check the bounds of unsafe buffers.
# Corpora grow in .build-fuzz/corpus/.
set -euo pipefail
cd "$(dirname "$0")/.."

usage="usage: scripts/fuzz.sh SECONDS [NAME]   (NAME as in Fuzz/NAME.swift or .c)"
seconds=${1:?$usage}
only=${2:-}
modules='FobBase|WireProtocol|NMEA|Firmware|Capture|USB'
out=.build-fuzz
processor=Sources/CProcessor
flags=(
  -sanitize=fuzzer,address -O -assert-config Debug
  -parse-as-library -swift-version 6 -package-name fob
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault
)
# With Swift's own backtraces on, libFuzzer never writes the input that crashed.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

imports_of() { # FILE_OR_FOLDER
  { grep -rhoE --include='*.swift' "^[a-z ]*import ($modules)\$" "$1" || true; } |
    sed 's/.* //' | sort -u
}

# The modules that a file or folder needs, lowest first, each once.
needs() { # FILE_OR_FOLDER
  local module
  for module in $(imports_of "$1"); do
    needs "Sources/$module"
    echo "$module"
  done | awk '!seen[$0]++'
}

declare -A built=()
build_module() { # MODULE
  [[ -z ${built[$1]:-} ]] || return 0
  local sources
  mapfile -t sources < <(find "Sources/$1" -name '*.swift' | sort)
  swiftc "${flags[@]}" -wmo -module-name "$1" -I $out/modules -I "$processor/include" \
    -c "${sources[@]}" \
    -o "$out/modules/$1.o" -emit-module -emit-module-path "$out/modules/$1.swiftmodule"
  built[$1]=yes
}

# An entry in C is of the reference in C, alone.
build_c_entry() { # NAME
  clang -std=c99 -fuse-ld=lld -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -I firmware-protocol/c "Fuzz/$1.c" firmware-protocol/c/*.c -o "$out/bin/$1"
}

build_entry() { # NAME
  local module objects=()
  for module in $(needs "Fuzz/$1.swift"); do
    build_module "$module"
    objects+=("$out/modules/$module.o")
  done
  swiftc "${flags[@]}" -use-ld=lld -module-name "$1" -I $out/modules \
    -I "$processor/include" "Fuzz/$1.swift" "${objects[@]}" $out/modules/CProcessor.o \
    -o "$out/bin/$1"
}

run_entry() { # NAME
  local corpus=$out/corpus/$1 crashes=$out/crashes/$1 log=$out/$1.log found
  mkdir -p "$corpus" "$crashes"
  touch "$out/started"
  if "$out/bin/$1" "$corpus" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$crashes/" -print_final_stats=1 >"$log" 2>&1 </dev/null; then
    echo "fuzz $1: no crash in $(awk '/number_of_executed_units/ { print $2 }' "$log") runs," \
      "$(find "$corpus" -type f | wc -l) inputs kept"
    return 0
  fi
  { grep -aE 'Fatal error|ERROR: ' "$log"; tail -n 40 "$log"; } | swift demangle -simplified >&2
  echo "fuzz $1: CRASHED; the whole log is $log; replay with" >&2
  find "$crashes" -type f -newer "$out/started" | while read -r found; do
    echo "  SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 $out/bin/$1 $found" >&2
  done
  return 1
}

mkdir -p $out/modules $out/bin
clang -g -O1 -fsanitize=address -c $processor/CProcessor.c -I $processor/include \
  -o $out/modules/CProcessor.o
shopt -s nullglob
entries=()
for entry in Fuzz/${only:-Fuzz*}.swift Fuzz/${only:-Fuzz*}.c; do
  [[ ! -f $entry ]] || entries+=("$entry")
done
if ((${#entries[@]} == 0)); then
  echo "no fuzz entry Fuzz/${only:-Fuzz*}.swift or .c" >&2
  exit 1
fi

failed=0
for entry in "${entries[@]}"; do
  name=$(basename "${entry%.*}")
  case $entry in
  *.c) build_c_entry "$name" ;;
  *) build_entry "$name" ;;
  esac
  run_entry "$name" || failed=1
done
exit $failed
