#!/usr/bin/env bash
# Whether the time that the seal takes tells of keys and tags, by dudect's method, in the modules as
# they are compiled for a release. ROUNDS (default 1,000,000) measurements of each operation.
set -euo pipefail
cd "$(dirname "$0")/.."

rounds=${1:-1000000}
out=.build/constant-time
flags=(
  -O -wmo -enable-testing -parse-as-library -swift-version 6 -package-name fob
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault -I "$out" -I Sources/CProcessor/include
)
mkdir -p "$out"
clang -O2 -c Sources/CProcessor/CProcessor.c -I Sources/CProcessor/include -o "$out/CProcessor.o"
for module in FobBase WireProtocol; do
  mapfile -t sources < <(find "Sources/$module" -name '*.swift' | sort)
  swiftc "${flags[@]}" -module-name "$module" -c "${sources[@]}" -o "$out/$module.o" \
    -emit-module -emit-module-path "$out/$module.swiftmodule"
done
swiftc "${flags[@]}" -module-name ConstantTime Tests/WireProtocolTests/TimingLeak.swift \
  scripts/constant-time/Main.swift "$out"/{FobBase,WireProtocol,CProcessor}.o \
  -o "$out/constant-time"
"$out/constant-time" "$rounds"
