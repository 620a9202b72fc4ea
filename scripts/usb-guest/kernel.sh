#!/usr/bin/env bash
# Debian's stock kernel for the guest, as apt gives it and without installing it: prints the folder
# that has `vmlinux`, `modules/lib/modules/RELEASE` with the modules that the guest loads, and
# `early`, the names of those that it needs before it has a root, in the order of loading.
# Kept per version of the package, so a new ABI number makes a new folder.
#   FOB_USB_KERNEL=FILE.deb takes this package of a kernel instead of asking apt.
set -euo pipefail
cd "$(dirname "$0")/../.."

cache=.build/usb-guest
mkdir -p $cache
# What the guest needs to reach its root, and then what it is here for.
early=(virtio_pci 9pnet_virtio 9p)
late=(vhci_hcd cdc_acm)

fail() {
  echo "usb-guest: no kernel for the guest: $1" >&2
  echo "usb-guest: $2" >&2
  exit 1
}

# linux-image-amd64 is empty and depends on the package with the kernel's release in its name.
newest() {
  package=$(apt-cache depends linux-image-amd64 2>/dev/null |
    awk '/Depends: linux-image-[0-9]/ { print $2; exit }')
  version=$([[ -z $package ]] || apt-cache policy "$package" |
    awk '/Candidate:/ { print $2; exit }')
  [[ -n $package && -n $version ]]
}

# A machine that has all packages may have no lists of them, or old ones.
refresh() {
  local sudo=
  [[ $(id -u) == 0 ]] || sudo="sudo -n"
  $sudo apt-get update >/dev/null 2>&1
}

download() {
  (cd "$out/deb" && apt-get download "$package=$version" >../download.log 2>&1)
}

# The package, and what it is kept under.
deb=${FOB_USB_KERNEL:-}
if [[ -n $deb ]]; then
  [[ -r $deb ]] || fail "FOB_USB_KERNEL=$deb cannot be read" "name the .deb of a kernel"
  key=$(dpkg-deb -f "$deb" Package)_$(dpkg-deb -f "$deb" Version) ||
    fail "$deb is no Debian package" "name the .deb of a kernel"
else
  # Apt is asked once a day: the question takes longer than laying out the guest.
  kept=$(find $cache -maxdepth 2 -path "$cache/kernel-*" -name complete -newer "$0" -mmin -1440 \
    -printf '%T@ %h\n' 2>/dev/null | sort -n | tail -1 | cut -d' ' -f2)
  if [[ -n $kept ]]; then
    echo "$kept"
    exit
  fi
  newest || { refresh && newest; } || true
  key=${package}_$version
  if [[ -z $package || -z $version ]]; then
    # Without lists of packages, the kernel of the last run is as good.
    kept=$(find $cache -maxdepth 2 -path "$cache/kernel-*" -name complete -printf '%T@ %h\n' \
      2>/dev/null | sort -n | tail -1 | cut -d' ' -f2)
    [[ -n $kept ]] || fail "apt knows no package linux-image-amd64" \
      "run apt-get update on Debian (amd64), or set FOB_USB_KERNEL=FILE.deb"
    echo "$kept"
    exit
  fi
fi

out=$cache/kernel-${key//[^A-Za-z0-9._+~-]/-}
if [[ $out/complete -nt $0 ]]; then
  touch "$out/complete"
  echo "$out"
  exit
fi
rm -rf "$out"
mkdir -p "$out/deb"
if [[ -z $deb ]]; then
  download || { refresh && newest && download; } ||
    fail "apt-get download $package=$version: $(tail -1 "$out/download.log")" \
      "see to the network, run apt-get update, or set FOB_USB_KERNEL=FILE.deb"
  deb=$(echo "$out"/deb/*.deb)
fi
dpkg -x "$deb" "$out/unpacked"
image=$(find "$out/unpacked/boot" -name 'vmlinuz-*' -print -quit)
[[ -n $image ]] || fail "$deb has no boot/vmlinuz" "name the package that brings the kernel itself"
release=${image##*/vmlinuz-}

# The ELF inside the bzImage boots by PVH, which skips decompression under emulation.
offset=$(LC_ALL=C grep -aboP '\xfd7zXZ\x00' "$image" | head -1 | cut -d: -f1) || true
if [[ -n $offset ]]; then
  # What follows the stream is not compressed: xz says so after it wrote all of the kernel.
  tail -c +$((offset + 1)) "$image" | xz -dc --single-stream >"$out/vmlinux" 2>/dev/null || true
fi
if [[ $(head -c 4 "$out/vmlinux" 2>/dev/null) != $'\x7fELF' ]]; then
  cp "$image" "$out/vmlinux"
fi

tree=$(find "$out/unpacked" -type d -path "*/lib/modules/$release" -print -quit)
whole=${tree%/lib/modules/*}
depmod -b "$whole" "$release"
insertions() {
  local module
  for module in "$@"; do
    modprobe -d "$whole" -S "$release" --show-depends "$module" 2>/dev/null ||
      fail "$key has no module $module (a kernel for clouds?)" "take linux-image-amd64"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}
insertions "${early[@]}" >"$out/early.files"
insertions "${early[@]}" "${late[@]}" >"$out/files"
sed -E 's,.*/,,; s,\.ko.*,,' "$out/early.files" >"$out/early"
while read -r file; do
  target=$out/modules/lib/modules/$release/${file#*"/modules/$release/"}
  mkdir -p "$(dirname "$target")"
  case $file in
    *.xz) xz -dc "$file" >"${target%.xz}" ;;
    *.zst) zstd -dqc "$file" >"${target%.zst}" ;;
    *) cp "$file" "$target" ;;
  esac
done <"$out/files"
cp "$tree"/modules.{order,builtin,builtin.modinfo} "$out/modules/lib/modules/$release/"
depmod -b "$out/modules" "$release"
rm -rf "$out/unpacked" "$out/deb"
touch "$out/complete"
echo "$out"
