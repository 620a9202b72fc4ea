#!/usr/bin/env bash
# Installs a Debian package of fob in a bare Debian 12 in a folder of its own: from nothing to the
# first alarm, an upgrade from an older package, and a purge that leaves nothing behind. Then the
# same system is booted, and the package's units are started, upgraded and taken away.
#   scripts/deb-test.sh [DEB]     as root; .build/deb/fob.deb where none is named
#   SYSTEM=FOLDER      the bare system, made by debootstrap where it is not there
#   LIBRARIES=FOLDER   is copied to the same place of that system, for a program that was linked to
#                      Swift's libraries there; a package of `make deb` needs none
set -euo pipefail
cd "$(dirname "$0")/.."

# Seconds from the first command of apt to the first alarm.
bar=60
deb=$(realpath "${1:-.build/deb/fob.deb}")
[[ $(id -u) == 0 ]] || { echo "deb-test.sh: debootstrap and chroot need root" >&2; exit 77; }
[[ -f $deb ]] || { echo "deb-test.sh: there is no $deb; make deb builds it" >&2; exit 66; }
base=$(scripts/bare-debian.sh ${SYSTEM:+"$SYSTEM"})

root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
cp -a "$base/." "$root"
if [[ -n ${LIBRARIES:-} ]]; then
  mkdir -p "$root$LIBRARIES"
  cp -a "$LIBRARIES"/*.so* "$root$LIBRARIES"
fi
cp "$deb" "$root/new.deb"
cp scripts/deb-test-inside.sh "$root/test.sh"
# The same package as an older one.
older=$(mktemp -d -p "$root")
dpkg-deb --raw-extract "$deb" "$older"
sed -i 's/^Version: .*/Version: 0.0.1/' "$older/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$older" "$root/old.deb" >/dev/null
rm -rf "$older"

# Processes, mounts and devices of its own, which end with it; the network is this machine's.
unshare --mount --pid --fork --kill-child --ipc bash -s "$root" "$bar" <<'END'
set -euo pipefail
root=$1
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 dev "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for device in null:3 zero:5 full:7 random:8 urandom:9; do
  mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
done
mknod -m 666 "$root/dev/tty" c 5 0
mount -t tmpfs -o mode=755 run "$root/run"
mount -t tmpfs -o mode=1777 tmp "$root/tmp"
exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 bash /test.sh "$2"
END

echo "--- as units, by systemd"
cp scripts/deb-test-units.sh "$root/test.sh"
cat >"$root/etc/systemd/system/deb-test.service" <<'END'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/test.sh
StandardOutput=file:/said
StandardError=file:/said
END
install -d "$root/etc/systemd/system/default.target.wants"
ln -s ../deb-test.service "$root/etc/systemd/system/default.target.wants"
# In a hierarchy of cgroups of its own, where this machine has none of systemd's.
timeout 120 unshare --mount bash -s "$root" >"$root/boot.log" 2>&1 <<'END' || true
if [[ ! -e /sys/fs/cgroup/cgroup.procs ]]; then
  umount -R /sys/fs/cgroup
  mount -t cgroup2 none /sys/fs/cgroup
fi
group=/sys/fs/cgroup/deb-test
mkdir -p "$group"
echo $$ >"$group/cgroup.procs"
systemd-nspawn --boot --directory="$1" --register=no --keep-unit --private-network \
  --console=pipe </dev/null
echo $$ >/sys/fs/cgroup/cgroup.procs
find "$group" -depth -type d -exec rmdir {} +
END
if ! grep -qx ok "$root/said"; then
  cat "$root/boot.log" "$root/said" >&2
  exit 1
fi
echo "ok: units start, go on over an upgrade, and end with the package"
