#!/usr/bin/env bash
# The documentation of the library products, as DocC has it: .build/documentation. Fails at a
# warning. Builds nothing: what the tests were built from is read.
set -euo pipefail
cd "$(dirname "$0")/.."

modules=(WireProtocol NMEA Bridge Storage Sinks Transport AlertCore SerialIO FobBase)
bin=$(swift build --show-bin-path)
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT

# Where the modules in C are that these import.
includes=(-I "$bin/Modules" -I .build/checkouts/GRDB.swift/Sources/GRDBSQLite)
for folder in Sources/C*/; do
  if [[ -d $folder/include ]]; then folder=$folder/include; fi
  includes+=(-I "$folder")
done
for package in libusb-1.0 libudev libcurl; do
  for flag in $(pkg-config --cflags-only-I "$package"); do includes+=(-Xcc "$flag"); done
done
target=$(swiftc -print-target-info | sed -nE 's/^ *"unversionedTriple": "(.*)",?$/\1/p')
for module in "${modules[@]}"; do
  swift symbolgraph-extract -module-name "$module" "${includes[@]}" -target "$target" \
    -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"
done
# Extensions of types of others: no page of ours has them.
rm -f "$graphs"/*@*
docc convert --additional-symbol-graph-dir "$graphs" --fallback-display-name fob \
  --fallback-bundle-identifier fob --warnings-as-errors --output-dir .build/documentation
echo "documentation: ${#modules[@]} modules, no warning; .build/documentation"
