#!/usr/bin/env bash
# Lays out the guest's root file system in FOLDER: a small Debian of this machine's own files
# (busybox, kmod, udev, usbip, libraries), users, the shipped udev rule, and the tests; and
# FOLDER.cpio, the initramfs that mounts it. Unpacking all in an initramfs takes the guest 2 s, an
# image of a disk takes this machine as long: so QEMU gives the folder as it is, by 9p, and of a
# binary only what is run is ever read.
#   scripts/usb-guest/root.sh FOLDER KERNEL BINARIES
set -euo pipefail
cd "$(dirname "$0")/../.."

root=$1
kernel=$2
binaries=$3
kept=.build/usb-guest/programs
here=scripts/usb-guest
mkdir -p $kept

# Debian's /bin, /sbin, /lib and /lib64 are links into /usr.
in_usr() { sed -E 's,^/(s?bin|lib|lib64)/,/usr/\1/,' <<<"$1"; }

place() {
  local target
  target=$root$(in_usr "$2")
  mkdir -p "$(dirname "$target")"
  ln -fL "$1" "$target" 2>/dev/null || cp -fL "$1" "$target"
}

# A program with the libraries that the loader would give it.
program() {
  place "$1" "${2:-$1}"
  programs+=("$1")
}

libraries() {
  local library
  { ldd "$@" 2>/dev/null || true; } | sed -nE 's/^.*(=> |\t)(\/[^ ]+) \(.*$/\2/p' | sort -u |
    while read -r library; do
      place "$library" "$library"
    done
}

rm -rf "$root"
mkdir -p "$root"/{dev,proc,sys,run,tmp,root,etc,var,usr/{bin,sbin,lib,lib64}}
for link in bin sbin lib lib64; do ln -s "usr/$link" "$root/$link"; done
ln -s /run "$root/var/run"
ln -s /proc/self/mounts "$root/etc/mtab"

programs=()
program /bin/busybox
for name in $(/bin/busybox --list); do
  [[ $name == busybox ]] || ln -s busybox "$root/usr/bin/$name"
done
rm -f "$root"/usr/bin/{modprobe,insmod,rmmod,lsmod,depmod,modinfo}
program /usr/bin/kmod
for name in modprobe rmmod lsmod; do ln -s ../bin/kmod "$root/usr/sbin/$name"; done
program /usr/bin/udevadm
mkdir -p "$root/usr/lib/systemd" "$root/usr/lib/udev/rules.d"
ln -s /usr/bin/udevadm "$root/usr/lib/systemd/systemd-udevd"
for rule in 50-udev-default 60-serial 70-uaccess 73-seat-late 80-drivers; do
  cp "/usr/lib/udev/rules.d/$rule.rules" "$root/usr/lib/udev/rules.d/"
done
# What this package ships, as it is shipped.
for rule in udev/*.rules; do
  [[ ! -e $rule ]] || cp "$rule" "$root/usr/lib/udev/rules.d/"
done
program "$(command -v usbip)" /usr/sbin/usbip
# Loaded by name, so not seen by ldd.
for library in /usr/lib/x86_64-linux-gnu/libkmod.so.2; do
  [[ ! -e $library ]] || place "$library" "$library"
done

for name in fob fobPackageTests.xctest; do program "$binaries/$name" "/opt/fob/$name"; done
for source in $here/*.c; do
  [[ -e $source ]] || continue
  name=$(basename "$source" .c)
  if [[ ! $kept/$name -nt $source ]]; then
    gcc -O2 -Wall -Wextra -Werror -o "$kept/$name" "$source" \
      $(sed -n 's,^// Links: ,,p' "$source")
  fi
  program "$kept/$name" "/opt/fob/$name"
done
libraries "${programs[@]}"

cp -r "$kernel/modules/lib/modules" "$root/usr/lib/"
install -m 755 $here/init "$root/init"
cat >"$root/etc/passwd" <<'END'
root:x:0:0:root:/root:/bin/sh
member:x:1001:1001:in the group plugdev:/tmp:/bin/sh
outsider:x:1002:1002:in no group of use:/tmp:/bin/sh
END
# The ids of Debian, where a rule names a group.
{
  echo "root:x:0:"
  getent group tty dialout kmem input disk video audio lp cdrom tape render sgx kvm floppy || true
  echo "plugdev:x:46:member"
  echo "member:x:1001:"
  echo "outsider:x:1002:"
} >"$root/etc/group"
echo "127.0.0.1 localhost" >"$root/etc/hosts"
echo "passwd: files" >"$root/etc/nsswitch.conf"
# Whatever the umask here: users of the guest read it too.
chmod -R a+rX "$root"

first=$root.first
rm -rf "$first"
mkdir -p "$first/bin" "$first/modules" "$first"/{dev,proc,new}
cp /bin/busybox "$first/bin/"
for name in sh mount umount insmod switch_root; do ln -s busybox "$first/bin/$name"; done
while read -r name; do
  find "$kernel/modules" -name "$name.ko" -exec cp {} "$first/modules/" \;
done <"$kernel/early"
cat >"$first/init" <<END
#!/bin/sh
mount -t devtmpfs dev /dev
for module in $(paste -sd' ' "$kernel/early"); do insmod /modules/\$module.ko; done
mount -t 9p -o ro,trans=virtio,version=9p2000.L,msize=524288,cache=loose root /new
mount -o move /dev /new/dev
exec switch_root /new /init
END
chmod 755 "$first/init"
(cd "$first" && find . | cpio -o -H newc --quiet -R 0:0) >"$root.cpio"
