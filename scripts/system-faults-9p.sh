#!/usr/bin/env bash
# Alarms whose state folder is on 9p, as in virtual machines and WSL, with a bridge that is killed
# in each: in a QEMU guest with Debian's stock kernel, once for each way to keep pages of 9p. Needs
# neither root nor KVM; ends with 1 unless each press is one entry that people were told of, or fob
# said in clear words that it cannot use the folder.
#   scripts/system-faults-9p.sh [FOLDER]    where fob and the test bundle are (.build/debug)
set -euo pipefail
cd "$(dirname "$0")/.."

binaries=${1:-.build/debug}
out=.build/nine-guest
seconds=900
mkdir -p $out
export PATH=$PATH:/usr/sbin:/sbin
exec 9>$out/lock
flock -n 9 || { echo "another run has $out/lock" >&2; exit 1; }

kernel=$(scripts/usb-guest/kernel.sh)
scripts/usb-guest/root.sh $out/guest "$kernel" "$binaries"
install -m 755 scripts/system_faults/guest-init $out/guest/init

boot() { # CACHE
  local words="console=ttyS0 loglevel=3 panic=-1 reboot=t mitigations=off nokaslr"
  words+=" clocksource=hpet tsc=unstable fob.cache=$1"
  rm -rf "$out/state-$1"
  mkdir -p "$out/state-$1"
  timeout $seconds qemu-system-x86_64 -accel tcg -cpu Nehalem -M q35 -smp 1 -m 1024 -nodefaults \
    -no-user-config -display none -no-reboot -serial stdio -kernel "$kernel/vmlinux" \
    -initrd $out/guest.cpio -append "$words" \
    -virtfs "local,path=$out/guest,mount_tag=root,security_model=none,readonly=on" \
    -virtfs "local,path=$out/state-$1,mount_tag=state,security_model=none" \
    >"$out/console-$1.log" 2>&1 </dev/null 9>&-
}

code=0
printf '%-24s  %5s  %7s  %7s  %7s\n' fault tried stored told unclear
for cache in none mmap loose; do
  boot $cache || true
  said=$(tr -d '\r' <"$out/console-$cache.log" | grep -a '^guest: ' || true)
  pressed=$(grep -o '^guest: pressed {"event":"[0-9.]*' <<<"$said" | cut -d'"' -f4 | sort || true)
  stored=$(grep '^guest: presses' <<<"$said" | grep -o '"event":"[0-9.]*' | cut -d'"' -f4 | sort ||
    true)
  told=$(sed -n 's/^guest: told //p' <<<"$said")
  clear=$(grep -cE '^guest: log (fob|Error): cannot .*: .{4,}' <<<"$said" || true)
  count() { grep -c . <<<"$1" || true; }
  unclear=0
  if ! grep -q '^guest: over' <<<"$said"; then
    unclear=1
  elif [[ -z $pressed ]]; then
    ((clear > 0)) || unclear=1
  elif [[ $pressed != "$stored" ]] || ((${told:-0} < 2 * $(count "$pressed"))); then
    code=1
  fi
  ((unclear == 0)) || code=1
  printf '%-24s  %5s  %7s  %7s  %7s\n' "9p folder, cache=$cache" "$(count "$pressed")" \
    "$(count "$stored")" "${told:-0}" $unclear
  if ((code != 0)); then tail -n 40 <<<"$said"; fi
  if ((clear > 0)); then grep -m1 -E '^guest: log (fob|Error): ' <<<"$said"; fi
done
exit $code
