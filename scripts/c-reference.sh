#!/usr/bin/env bash
# The wire protocol in C (firmware-protocol/c), beside what it is a reference of.
#   scripts/c-reference.sh              all three
#   scripts/c-reference.sh compile      no warning by gcc and clang; its size on a Cortex-M3
#   scripts/c-reference.sh compare [N]  N (10,000,000) seeded inputs: C and Swift must say the same
#   scripts/c-reference.sh sanitize [N] the same, N (500,000), with the C under ASan and UBSan
set -euo pipefail
cd "$(dirname "$0")/.."

out=.build-fuzz/c-reference
c=firmware-protocol/c
sources=("$c"/*.c)
strict=(-std=c99 -Wall -Wextra -Wpedantic -Werror -Wconversion)
cortex=(--target=armv7m-none-eabi -ffreestanding -Os)
bare=(FobBase WireProtocol)
processor=Sources/CProcessor
mkdir -p $out

# The first block of C in its README, as it stands.
example() { awk '/^```$/ { if (on) exit } on; /^```c$/ { on = 1 }' $c/README.md; }

compile() {
  local file compiler text=0 size
  example >$out/example.c
  for compiler in gcc clang; do
    for file in "${sources[@]}" $out/example.c; do
      "$compiler" "${strict[@]}" -O2 -I $c -c "$file" -o $out/strict.o
    done
  done
  clang -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only $c/fob_device.h
  for file in "${sources[@]}" $out/example.c; do
    clang "${cortex[@]}" "${strict[@]}" -I $c -c "$file" -o $out/cortex.o
    size=$(size -A $out/cortex.o |
      awk '$1 ~ /^\.(text|rodata)/ { sum += $2 } END { print sum + 0 }')
    [[ $file == "$out"/* ]] || text=$((text + size))
    [[ $file == "$out"/* ]] || printf '%6d %s\n' "$size" "$(basename "$file")"
  done
  echo "c-reference: $text bytes of code and constants for a Cortex-M3 at -Os," \
    "$(ram) of RAM for a device; no warning by gcc and clang"
}

# The size of a device there: of a variable of its type.
ram() {
  echo '#include "fob_device.h"
fob_device device;' | clang "${cortex[@]}" -I $c -x c -c - -o $out/ram.o
  size -A $out/ram.o | awk '$1 == ".bss" { print $2 }'
}

# Into $1: the pure modules by Swift, the C by clang, and the driver. $2: flags for the C, then
# those for Swift.
build() { # FOLDER FLAGS_FOR_C [FLAGS_FOR_SWIFT]
  local folder=$out/$1 module files objects=() header
  local flags=(-O -wmo -swift-version 6 -package-name fob -I "$folder" -I $processor/include ${3:-}
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault)
  mkdir -p "$folder"
  {
    echo 'module CProtocolReference {'
    for header in frame messages; do echo "  header \"$PWD/$c/fob_$header.h\""; done
    printf '  export *\n}\n'
  } >"$folder/module.modulemap"
  for module in "${bare[@]}" TestSupport; do
    mapfile -t files < <(find "Sources/$module" -name '*.swift' 2>/dev/null | sort)
    [[ $module != TestSupport ]] || files=(Tests/TestSupport/SeededGenerator.swift)
    swiftc "${flags[@]}" -parse-as-library -module-name "$module" -c "${files[@]}" \
      -o "$folder/$module.o" -emit-module -emit-module-path "$folder/$module.swiftmodule"
    objects+=("$folder/$module.o")
  done
  for module in frame messages messages_seal messages_variable; do
    # Split on purpose: flags.
    # shellcheck disable=SC2086
    clang "${strict[@]}" -O2 $2 -c "$c/fob_$module.c" -o "$folder/fob_$module.o"
    objects+=("$folder/fob_$module.o")
  done
  clang -O2 -I $processor/include -c $processor/CProcessor.c -o "$folder/CProcessor.o"
  objects+=("$folder/CProcessor.o")
  swiftc "${flags[@]}" -parse-as-library -use-ld=lld -module-name CReference \
    Fuzz/CReference.swift Tests/CReferenceTests/Differential/*.swift "${objects[@]}" \
    -o "$folder/compare"
}

# The frames that are damaged: every one of the vectors.
frames() {
  grep -ohE '"wire": "[0-9a-f]+"' firmware-protocol/vectors/frames.json | cut -d '"' -f 4
}

compare() {
  build plain ''
  frames | $out/plain/compare "${1:-10000000}" "${SEED:-1}"
}

sanitize() {
  build sanitized '-g -fsanitize=address,undefined -fno-sanitize-recover=all' -sanitize=address
  frames | ASAN_OPTIONS=detect_leaks=0 $out/sanitized/compare "${1:-500000}" "${SEED:-2}" isolated
}

case ${1:-all} in
all) compile && compare && sanitize ;;
compile | compare | sanitize) "$@" ;;
*)
  sed -n '2,6s/^# //p' "$0" >&2
  exit 2
  ;;
esac
