#!/usr/bin/env bash
# Builds the keychain's firmware for a board without a system, with the compiler and linker of the
# Swift toolchain alone, prints its size and holds it to the board's budget.
#   firmware.sh [lm3s6965evb | microbit | microbit-v2] [VARIANT] [--if-older]
# A variant is --lockstep, whose time a host grants (Boards/cortex-m/LOCKSTEP.md); of the first
# board --counting, which scripts/count-board.sh runs, and --counting-m0, the same as code for a
# Cortex-M0; of microbit --helpers, which says what a Cortex-M0 computes without instructions of its
# own. With --if-older it builds only where a source is newer than what was built.
set -euo pipefail
cd "$(dirname "$0")/.."

board=lm3s6965evb
variant=Keychain
suffix=
as_m0=
if_older=
for argument in "$@"; do
  case $argument in
    lm3s6965evb | microbit | microbit-v2) board=$argument ;;
    --lockstep) variant=Lockstep suffix=-lockstep ;;
    --counting) variant=Counting suffix=-counting ;;
    --counting-m0) variant=Counting suffix=-counting-m0 as_m0=1 ;;
    --helpers) variant=Helpers suffix=-helpers ;;
    --if-older) if_older=1 ;;
    *)
      echo "firmware: $argument? There are lm3s6965evb, microbit, microbit-v2, --lockstep," \
        "--counting, --counting-m0, --helpers and --if-older" >&2
      exit 2
      ;;
  esac
done

settings=$(echo Boards/*/"$board".sh)
# folder, processor, parts, text_budget, ram_budget, stack.
# shellcheck source=/dev/null
source "$settings"
if [[ -n $as_m0 ]]; then processor=cortex-m0; fi
startup=(startup)
case $processor in
  cortex-m0)
    triples=(armv6m-none-none-eabi armv6m-none-eabi)
    startup+=(cortex-m0)
    ;;
  cortex-m3) triples=(armv7em-none-none-eabi armv7m-none-eabi) ;;
  cortex-m4) triples=(armv7em-none-none-eabi armv7em-none-eabi) ;;
esac

tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
out=.build/firmware
name=fob-$board$suffix
work=$out/$name
elf=$out/$name.elf
if [[ -n $if_older && -e $elf ]]; then
  newer=$(find Sources/{FobBase,WireProtocol,NMEA,Firmware} Boards/{cortex-m,"$folder"} \
    scripts/firmware.sh -newer "$elf" -type f -print -quit)
  if [[ -z $newer ]]; then exit 0; fi
fi
mkdir -p "$work"
# What cannot be built is not there, rather than old.
rm -f "$elf" "$out/$name.hex"

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
# Loads and stores of registers are whole there, too.
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

sources=()
for part in Boards/cortex-m/{Processor,Devices,"$variant"} "${parts[@]/#/Boards/$folder/}" \
  "Boards/$folder/$variant"; do
  if [[ -d $part ]]; then sources+=("$part"/*.swift); fi
done
swiftc "${flags[@]}" -module-name FirmwareBoard \
  -I "$work" -I Boards/cortex-m/Startup -c "${sources[@]}" -o "$work/FirmwareBoard.o"

objects=()
for source in "${startup[@]/#/Boards/cortex-m/Startup/}" "Boards/$folder/Startup/vectors"; do
  object=$work/${source##*/}.o
  "$tools/clang" --target="${triples[1]}" -mcpu=$processor -mfloat-abi=soft -Os -Wall -Wextra \
    -Werror -ffreestanding -fno-builtin -ffunction-sections -fdata-sections \
    -DBOARD_NAME="\"$board$suffix\"" -IBoards/cortex-m/Startup -c "$source.c" -o "$object"
  objects+=("$object")
done

"$tools/ld.lld" -T "Boards/$folder/$board.ld" -L Boards/cortex-m/Startup \
  --defsym=STACK_SIZE=$stack --gc-sections \
  --lto-O2 "${link_flags[@]}" --icf=all --fatal-warnings --print-map -o "$elf" \
  "${objects[@]}" "$work"/{FirmwareBoard,Firmware,NMEA,WireProtocol,FobBase}.o >"$work/map"
# What is copied onto a MICROBIT drive.
if [[ $folder == nrf5 ]]; then "$tools/llvm-objcopy" -O ihex "$elf" "$out/$name.hex"; fi

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

# An interrupt would wait for ever for a variable whose first touch it has interrupted (CortexM.h).
lazy=$("$tools/llvm-nm" "$elf" | awk '$NF ~ /_Wz$/ { print $NF }')
if [[ -n $lazy ]]; then
  echo "$name: made at their first touch:" $lazy >&2
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
if [[ $variant == Keychain || $variant == Lockstep ]] && ((text < 8192)); then
  echo "$name: the keychain is not in it: is KEYCHAIN_MEMORY_SIZE of CortexM.h too small?" >&2
  rm -f "$elf" "$out/$name.hex"
  exit 1
fi
if ((text + data > text_budget || ram > ram_budget)); then
  echo "$name: over its budget; where the bytes are: llvm-nm --size-sort, $work/map" >&2
  exit 1
fi
