#!/usr/bin/env bash
# Compiles the targets that also run on the keychain with the keychain's compiler settings: no heap,
# no existentials, no Foundation. Each module is checked against the modules below it.
set -euo pipefail
cd "$(dirname "$0")/.."

targets=(FobBase WireProtocol NMEA Firmware)
flags=(
  -target x86_64-unknown-linux-gnu -enable-experimental-feature Embedded -no-allocations
  -wmo -Osize -parse-as-library -swift-version 6 -package-name fob -warnings-as-errors
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault
)

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

for target in "${targets[@]}"; do
  sources=()
  if [[ -d Sources/$target ]]; then
    mapfile -t sources < <(find "Sources/$target" -name '*.swift' | sort)
  fi
  if ((${#sources[@]} == 0)); then
    echo "embedded $target: no sources in Sources/$target" >&2
    exit 1
  fi
  if ! swiftc "${flags[@]}" -module-name "$target" -I "$out" -c "${sources[@]}" \
    -o "$out/$target.o" -emit-module -emit-module-path "$out/$target.swiftmodule"; then
    echo "embedded $target: refused" >&2
    exit 1
  fi
  echo "embedded $target: clean (${#sources[@]} files)"
done
