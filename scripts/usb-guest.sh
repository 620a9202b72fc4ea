#!/usr/bin/env bash
# Tests of the keychain as a USB device, in QEMU guests with Debian's stock kernel: lays out their
# root, boots them, runs the suites USBGuest... of the debug test bundle, prints their consoles, and
# ends as the tests ended. Needs neither root nor KVM; writes under .build/usb-guest only.
#   scripts/usb-guest.sh [REGEX]      only the tests that match, in one guest; else all, in two
#   FOB_USB_KERNEL=FILE.deb           this package of a kernel instead of apt's linux-image-amd64
#   USB_GUEST_SECONDS=300             how long the guest may take; a soak has an hour
#   USB_GUEST_BINARIES=.build/debug   where fob and the test bundle are
#   FOB_SOAK=1 FOB_REPLUGS=100        passed to the tests in the guest
set -euo pipefail
cd "$(dirname "$0")/.."

# A guest has one processor, and the machine two at least: two guests, which take as long.
groups=('USBGuest(Replug|RoundTrip)Tests' 'USBGuest(Plug|Hostile)Tests')
if (($# > 0)); then groups=("$1"); fi
binaries=${USB_GUEST_BINARIES:-.build/debug}
limit=${USB_GUEST_SECONDS:-$([[ -n ${FOB_SOAK:-} ]] && echo 3600 || echo 300)}
out=.build/usb-guest
qemu=qemu-system-x86_64
mkdir -p $out

fail() {
  echo "usb-guest: $*" >&2
  exit 1
}

now() { date +%s.%N; }
took() { printf 'usb-guest: %-20s %5.1f s\n' "$1" "$(bc_minus "$(now)" "$2")"; }
bc_minus() { awk -v a="$1" -v b="$2" 'BEGIN { print a - b }'; }

for tool in $qemu:qemu-system-x86 modprobe:kmod udevadm:udev usbip:usbip cpio:cpio xz:xz-utils \
  gcc:gcc dpkg-deb:dpkg; do
  PATH=$PATH:/usr/sbin:/sbin command -v "${tool%%:*}" >/dev/null ||
    fail "${tool%%:*} is missing; apt-get install ${tool##*:}"
done
[[ -x /bin/busybox ]] || fail "/bin/busybox is missing; apt-get install busybox-static"
export PATH=$PATH:/usr/sbin:/sbin
for name in fob fobPackageTests.xctest; do
  [[ -x $binaries/$name ]] || fail "$binaries/$name is missing; run swift build --build-tests"
done

# Two at once would write into one folder.
exec 9>$out/lock
flock -n 9 || fail "another run has $out/lock"

started=$(now)
kernel=$(scripts/usb-guest/kernel.sh)
scripts/usb-guest/root.sh $out/root "$kernel" "$binaries"
took "image" "$started"

words="console=ttyS0 loglevel=3 panic=-1 reboot=t mitigations=off nokaslr"
words+=" clocksource=hpet tsc=unstable"
for name in FOB_SOAK FOB_REPLUGS; do
  if [[ -n ${!name:-} ]]; then words+=" $name=${!name}"; fi
done

# One processor: a second one of an emulated machine is in the way where the host has two. No
# network: keychains and kernel talk inside the guest.
boot() { # CONSOLE FILTER
  exec $qemu -accel tcg -cpu Nehalem -M q35 -smp 1 -m 1024 -nodefaults -no-user-config \
    -display none -no-reboot -serial stdio -kernel "$kernel/vmlinux" -initrd $out/root.cpio \
    -append "$words fob.filter=$2" \
    -virtfs local,path=$out/root,mount_tag=root,security_model=none,readonly=on \
    >"$1" 2>&1 </dev/null 9>&-
}

# What a guest's console says of its tests. In the guest nothing has a reason to be skipped: a suite
# that did not see it proves nothing.
judge() { # CONSOLE FILTER CODE
  local of="the guest for $2"
  (($3 == 0)) || fail "$of: $qemu ended with $3: $(tail -n 3 "$1")"
  grep -q 'usb-guest: .* tests ended with' "$1" || fail "$of ended before its tests did; see $1"
  grep -q 'usb-guest: .* tests ended with 0\s*$' "$1" || fail "tests failed in $of"
  grep -qE 'Test run with [1-9][0-9]* tests? .*passed' "$1" || fail "no test ran in $of"
  ! grep -E '(Test|Suite) .* skipped' "$1" >&2 || fail "tests were skipped in $of"
  ! grep 'usb-guest: .* left running' "$1" >&2 || fail "tests left processes behind in $of"
}

booted=$(now)
guests=()
consoles=()
readers=()
trap 'kill -KILL "${guests[@]}" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
for group in "${groups[@]}"; do
  console=$out/console-${#guests[@]}.log
  : >"$console"
  boot "$console" "$group" &
  guests+=($!)
  consoles+=("$console")
  tail -n +1 -f --pid=$! "$console" | sed -u 's,\r$,,' &
  readers+=($!)
done

SECONDS=0
for guest in "${guests[@]}"; do
  while kill -0 "$guest" 2>/dev/null; do
    if ((SECONDS > limit)); then
      echo "usb-guest: no end within $limit s; the last words:" >&2
      tail -n 20 "${consoles[@]}" >&2
      exit 1
    fi
    sleep 0.2
  done
done
wait "${readers[@]}" || true
took "boot to power off" "$booted"
took "all" "$started"
for index in "${!guests[@]}"; do
  code=0
  wait "${guests[index]}" || code=$?
  judge "${consoles[index]}" "${groups[index]}" $code
done
