#!/usr/bin/env bash
# Runs each fuzz entry Fuzz/Fuzz*.swift or .c, or the one named, for the given number of seconds;
# with FUZZ_RUNS=N instead until its parser has run N times, on inputs of at most 256 bytes.
# The pure modules that an entry imports are built with coverage, AddressSanitizer and the checks of
# a debug build, because a release build does not check the bounds of unsafe buffers.
# FuzzDocuments is linked with the debug build of fob itself, and runs once for each document; with
# FUZZ_COVERAGE=1 the modules that it tests are built with coverage, too, which takes minutes.
# Corpora grow in .build-fuzz/corpus/, from what Fuzz/seeds/DOCUMENT begins with.
set -euo pipefail
cd "$(dirname "$0")/.."

usage="usage: scripts/fuzz.sh SECONDS [NAME]   (NAME as in Fuzz/NAME.swift or .c)"
seconds=${1:?$usage}
only=${2:-}
modules='FobBase|WireProtocol|NMEA|Firmware|Capture|USB'
linked=FuzzDocuments
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

# Once, whichever entry asks first; another that needs it waits.
build_module() { # MODULE
  local sources lock
  exec {lock}>"$out/modules/$1.lock"
  flock "$lock"
  if [[ ! -f $out/modules/$1.built ]]; then
    mapfile -t sources < <(find "Sources/$1" -name '*.swift' | sort)
    swiftc "${flags[@]}" -wmo -module-name "$1" -I $out/modules -I "$processor/include" \
      -c "${sources[@]}" \
      -o "$out/modules/$1.o" -emit-module -emit-module-path "$out/modules/$1.swiftmodule"
    touch "$out/modules/$1.built"
  fi
  exec {lock}>&-
}

# An entry in C is of the reference in C, alone. Its loops over bytes compare lengths, of which
# there is nothing to learn.
build_c_entry() { # NAME
  clang -std=c99 -fuse-ld=lld -g -O2 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -fno-sanitize-coverage=trace-cmp \
    -I firmware-protocol/c "Fuzz/$1.c" firmware-protocol/c/*.c -o "$out/bin/$1"
}

# With the objects of the debug build; as SwiftPM names the package, its folder, so that `package`
# is open to the entry.
build_linked_entry() { # NAME
  local bin map objects=$out/linked.objects folder module maps=() sources
  swift build --product fob >&2
  bin=$(swift build --show-bin-path)
  local house=(
    -parse-as-library -swift-version 6 -I "$bin/Modules" -I /usr/include/libusb-1.0
    -package-name "$(basename "$PWD" | tr 'A-Z' 'a-z' | tr -c 'a-z0-9_\n' '_')"
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault -module-cache-path $out/module-cache
  )
  while read -r map; do
    maps+=(-Xcc "-fmodule-map-file=$map" -Xcc "-I$(dirname "$map")")
  done < <(find "$PWD/Sources" "$PWD"/.build/checkouts/*/Sources -name module.modulemap
    find "$bin"/*.build -maxdepth 1 -name module.modulemap)
  # What this version exports is what it reads again.
  folder=$(mktemp -d)
  "$bin/fob" run --demo --state "$folder" >/dev/null
  mkdir -p $out/corpus/state
  "$bin/fob" state export --state "$folder" - >$out/corpus/state/demo.json
  rm -r "$folder"
  cp "$bin/fob.product/Objects.LinkFileList" "$objects"
  if [[ -n ${FUZZ_COVERAGE:-} ]]; then
    for module in $(sed -n 's/^@testable import //p' "Fuzz/$1.swift"); do
      mapfile -t sources < <(find "Sources/$module" -name '*.swift' | sort)
      swiftc "${house[@]}" "${maps[@]}" -sanitize=fuzzer -O -assert-config Debug -wmo \
        -enable-testing -module-name "$module" -c "${sources[@]}" \
        -Xfrontend -entry-point-function-name -Xfrontend fob_main -o "$out/modules/$module.o"
      grep -v "/$module\.build/" "$objects" >"$objects.rest"
      mv "$objects.rest" "$objects"
      echo "$PWD/$out/modules/$module.o" >>"$objects"
    done
  fi
  swiftc "${house[@]}" "${maps[@]}" -sanitize=fuzzer -use-ld=lld -module-name "$1" \
    "Fuzz/$1.swift" "@$objects" -lz -lusb-1.0 -ludev -lcrypt -lsqlite3 -lcurl -lssl -lcrypto \
    -lqrencode -lmosquitto -lm -o "$out/bin/$1"
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

# How often an entry has its parser read an input, whole and in pieces.
readings_of() { # NAME
  case $1 in
    FuzzCapture | FuzzCReference) echo 3 ;;
    *) echo 1 ;;
  esac
}

run_entry() { # PROGRAM [DOCUMENT]
  local name=${2:-$1} limit=(-max_total_time="$seconds") readings
  local corpus=$out/corpus/$name crashes=$out/crashes/$name log=$out/$name.log found
  readings=$(readings_of "$name")
  if [[ -n ${FUZZ_RUNS:-} ]]; then
    limit=(-runs=$(((FUZZ_RUNS + readings - 1) / readings)) -max_len=256)
  fi
  mkdir -p "$corpus" "$crashes"
  local corpora=("$corpus")
  if [[ -n ${2:-} ]]; then corpora+=("Fuzz/seeds/$2"); fi
  if FOB_FUZZ=${2:-} "$out/bin/$1" "${corpora[@]}" "${limit[@]}" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$crashes/" -print_final_stats=1 \
    >"$log" 2>&1 </dev/null; then
    echo "fuzz $name: no crash in" \
      "$(awk -v n="$readings" '/number_of_executed_units/ { print $2 * n }' "$log") runs," \
      "$(find "$corpus" -type f | wc -l) inputs kept"
    return 0
  fi
  { grep -aE 'Fatal error|ERROR: ' "$log"; tail -n 40 "$log"; } | swift demangle -simplified >&2
  echo "fuzz $name: CRASHED; the whole log is $log; replay with" >&2
  find "$crashes" -type f -newer "$out/$1.started" | while read -r found; do
    echo "  FOB_FUZZ=${2:-} SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0" \
      "$out/bin/$1 $found" >&2
  done
  return 1
}

# Builds an entry and runs it; of the linked one each document is a run.
fuzz_entry() { # NAME
  if [[ $1 == "$linked" ]]; then
    build_linked_entry "$1"
    return
  fi
  if [[ -f Fuzz/$1.c ]]; then build_c_entry "$1"; else build_entry "$1"; fi
  run_entry "$1"
}

# As many at once as there are processors.
failed=0
running=0
begin() { # COMMAND ...
  if ((running == $(nproc))); then await_one; fi
  "$@" &
  running=$((running + 1))
}
await_one() {
  wait -n || failed=1
  running=$((running - 1))
}
await_all() {
  while ((running > 0)); do await_one; done
}

mkdir -p $out/modules $out/bin
rm -f $out/modules/*.built "$out/bin/$linked"
clang -g -O1 -fsanitize=address -c $processor/CProcessor.c -I $processor/include \
  -o $out/modules/CProcessor.o
shopt -s nullglob
entries=()
for entry in Fuzz/${only:-Fuzz*}.swift Fuzz/${only:-Fuzz*}.c; do
  [[ ! -f $entry ]] || entries+=("$(basename "${entry%.*}")")
done
if ((${#entries[@]} == 0)); then
  echo "no fuzz entry Fuzz/${only:-Fuzz*}.swift or .c" >&2
  exit 1
fi

# The linked one first, as it takes longest to build.
for name in $(printf '%s\n' "${entries[@]}" | awk -v linked="$linked" \
  '{ print ($0 != linked), $0 }' | sort | cut -d' ' -f2); do
  touch "$out/$name.started"
  begin fuzz_entry "$name"
done
await_all
if [[ -x $out/bin/$linked ]]; then
  # Some dozen of them: a fifth of the time each.
  seconds=$(((seconds + 4) / 5))
  for document in $(ls Fuzz/seeds); do begin run_entry "$linked" "$document"; done
  await_all
fi
exit $failed
