#!/usr/bin/env bash
# Builds the keychain's firmware for a board without a system: Boards/lm3s6965evb, a Cortex-M3, with
# the compiler and linker of the Swift toolchain alone. Prints its size and holds it to the budget.
# With --lockstep the variant whose time a host grants (Boards/lm3s6965evb/LOCKSTEP.md), with
# --counting what scripts/count-board.sh runs, with --counting-m0 the same as code for a Cortex-M0;
# with --if-older only where a source is newer than what was built.
set -euo pipefail
cd "$(dirname "$0")/.."

board=lm3s6965evb
name=fob-$board
variant=Keychain
processor=cortex-m3
triples=(armv7em-none-none-eabi armv7m-none-eabi)
more=()
if_older=
for argument in "$@"; do
  case $argument in
    --lockstep)
      name=$name-lockstep
      variant=Lockstep
      ;;
    --counting)
      name=$name-counting
      variant=Counting
      ;;
    --counting-m0)
      name=$name-counting-m0
      variant=Counting
      processor=cortex-m0
      triples=(armv6m-none-none-eabi armv6m-none-eabi)
      more=(cortex-m0)
      ;;
    --if-older) if_older=1 ;;
    *)
      echo "firmware: $argument? There are --lockstep, --counting, --counting-m0 and --if-older" >&2
      exit 2
      ;;
  esac
done

# The budget, in bytes: code and constants in flash; variables and stack in RAM; no heap. Both are
# above the bars of Benchmarks/README.md, which the sealed link has missed. On the board a pairing
# overruns a stack of 1,792 bytes, and none of 2,048.
text_budget=26112
ram_budget=6528
stack=2304

tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
out=.build/firmware
work=$out/$name
elf=$out/$name.elf
if [[ -n $if_older && -e $elf ]]; then
  newer=$(find Sources/{FobBase,WireProtocol,NMEA,Firmware} Boards scripts/firmware.sh \
    -newer "$elf" -type f -print -quit)
  if [[ -z $newer ]]; then exit 0; fi
fi
mkdir -p "$work"
# What cannot be built is not there, rather than old.
rm -f "$elf"

flags=(
  -target "${triples[0]}" -enable-experimental-feature Embedded
  -enable-experimental-feature Volatile
  -wmo -Osize -parse-as-library -swift-version 6 -package-name fob -warnings-as-errors
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
  -enable-upcoming-feature InternalImportsByDefault
  -Xcc -mcpu=$processor -Xcc -mfloat-abi=soft -Xcc -ffreestanding -Xcc -fno-builtin
  -Xfrontend -function-sections -Xfrontend -disable-stack-protector
  -Xfrontend -mergeable-traps
  -lto=llvm-full
)
# Loads and stores of words are whole there, too.
if [[ $processor == cortex-m0 ]]; then
  flags+=(-Xcc -Xclang -Xcc -target-feature -Xcc -Xclang -Xcc +atomics-32)
fi
# The linker inlines across modules: what the compiler inlines of generic code before costs 5 KB.
flags+=(-Xllvm -sil-disable-pass=inline)
# Measured: 40 is the smallest image of all bounds from 0 to 60; the others save 100 bytes together.
link_flags=(
  -mllvm -inline-threshold=40 -mllvm -disable-machine-licm -mllvm -split-spill-mode=size
  -mllvm -tail-merge-size=1
)

for module in FobBase WireProtocol NMEA Firmware; do
  mapfile -t sources < <(find "Sources/$module" -name '*.swift' | sort)
  swiftc "${flags[@]}" -module-name "$module" -I "$work" -c "${sources[@]}" \
    -o "$work/$module.o" -emit-module -emit-module-path "$work/$module.swiftmodule"
done

folders=(Processor Devices "$variant")
mapfile -t sources < <(cd "Boards/$board" && find "${folders[@]}" -name '*.swift' | sort)
swiftc "${flags[@]}" -module-name FirmwareBoard \
  -I "$work" -I "Boards/$board/Startup" -c "${sources[@]/#/Boards/$board/}" \
  -o "$work/FirmwareBoard.o"

objects=()
for source in startup "${more[@]}"; do
  "$tools/clang" --target="${triples[1]}" -mcpu=$processor -Os -Wall -Wextra -Werror \
    -ffreestanding -fno-builtin -ffunction-sections -c "Boards/$board/Startup/$source.c" \
    -o "$work/$source.o"
  objects+=("$work/$source.o")
done

"$tools/ld.lld" -T "Boards/$board/Startup/$board.ld" --defsym=STACK_SIZE=$stack --gc-sections \
  --lto-O2 "${link_flags[@]}" --icf=all --fatal-warnings --print-map -o "$elf" \
  "${objects[@]}" "$work"/{FirmwareBoard,Firmware,NMEA,WireProtocol,FobBase}.o >"$work/map"

# Nothing defines an allocator, so that the link fails where one is called. Held here, too, should a
# library ever bring one.
allocators='swift_(allocObject|slowAlloc|initStackObject)|malloc|calloc|realloc|posix_memalign|free'
found=$("$tools/llvm-nm" "$elf" | awk '{ print $NF }' | grep -xE "$allocators" || true)
undefined=$("$tools/llvm-nm" --undefined-only "$elf" | awk '$1 != "w" { print $NF }')
if [[ -n $found$undefined ]]; then
  echo "$name: allocates or lacks:" $found $undefined >&2
  rm -f "$elf"
  exit 1
fi

size_of() {
  "$tools/llvm-objdump" -h "$elf" | awk -v s="$1" '$2 == s { print $3 }' | sed 's/^/0x/'
}
text=$(($(size_of .text)))
data=$(($(size_of .data)))
bss=$(($(size_of .bss)))
ram=$((data + bss + stack))
echo "$elf"
printf '%-26s %6d bytes, budget %d\n' 'text (code, constants)' $((text + data)) $text_budget
printf '%-26s %6d bytes, budget %d\n' 'RAM' $ram $ram_budget
printf '  %-24s %6d bytes\n' data "$data" bss "$bss" stack "$stack" heap 0

if [[ $variant == Keychain ]]; then
  echo "where the text is:"
  scripts/firmware-features.py "$tools/llvm-nm" "$elf"
fi

# A check that fails for certain takes all behind it away, and links.
if [[ $variant != Counting ]] && ((text < 8192)); then
  echo "$name: the keychain is not in it: is KEYCHAIN_MEMORY_SIZE of CortexM.h too small?" >&2
  rm -f "$elf"
  exit 1
fi
if ((text + data > text_budget || ram > ram_budget)); then
  echo "$name: over its budget; where the bytes are: llvm-nm --size-sort, $work/map" >&2
  exit 1
fi
