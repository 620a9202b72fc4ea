#!/usr/bin/env bash
# A Debian package of fob: the binary with Swift's libraries in it, man pages, units, the udev rule,
# examples, completions; what it is made of (SPDX) and under which licences.
#   scripts/deb.sh             a release build
#   FOB=PATH scripts/deb.sh    of a binary that is there
# Prints the path of the package.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${OUT:-.build/deb}
if [[ -z ${FOB:-} ]]; then
  # Beside the other builds, which it would undo.
  flags=(-c release --static-swift-stdlib --scratch-path .build/static)
  swift build "${flags[@]}" --product fob >&2
  FOB=$(swift build "${flags[@]}" --show-bin-path)/fob
fi
version=$("$FOB" --version)
architecture=$(dpkg --print-architecture)

mkdir -p "$out"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
# What is below does not depend on who builds.
umask 022
chmod 755 "$root"

install -D -m 755 "$FOB" "$root/usr/bin/fob"
strip --strip-unneeded "$root/usr/bin/fob"
for unit in systemd/*.service; do
  install -D -m 644 "$unit" "$root/usr/lib/systemd/system/$(basename "$unit")"
done
install -D -m 600 packaging/core.yaml "$root/etc/fob/core.yaml"
chmod 700 "$root/etc/fob"
install -D -m 644 udev/70-fob.rules "$root/usr/lib/udev/rules.d/70-fob.rules"

documents=$root/usr/share/doc/fob
# Where they link to each other, they find each other.
for file in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md firmware-protocol/PROTOCOL.md \
  firmware-protocol/c/README.md Boards/cortex-m/LOCKSTEP.md Benchmarks/README.md \
  systemd/README.md udev/README.md; do
  install -D -m 644 "$file" "$documents/$file"
done
cp -r docs/. "$documents/docs"
cp -r examples "$documents/examples"
# Its fixtures for pytest, where Debian's Python finds them.
python=$root/usr/lib/python3/dist-packages
mkdir -p "$python"
cp -r clients/python/src/fob "$python/fob"
find "$python" -name __pycache__ -prune -exec rm -rf {} +
find "$documents" -name __pycache__ -prune -exec rm -rf {} +
for firmware in .build/firmware/fob-{lm3s6965evb.elf,microbit.elf,microbit.hex,microbit-v2.hex}; do
  if [[ -f $firmware ]]; then
    install -D -m 644 "$firmware" "$root/usr/share/fob/$(basename "$firmware")"
  fi
done
for part in firmware-protocol/wireshark/*.lua; do
  install -D -m 644 "$part" "$root/usr/share/fob/wireshark/$(basename "$part")"
done
for shell in bash zsh fish; do
  case $shell in
    bash) completion=usr/share/bash-completion/completions/fob ;;
    zsh) completion=usr/share/zsh/vendor-completions/_fob ;;
    fish) completion=usr/share/fish/vendor_completions.d/fob.fish ;;
  esac
  mkdir -p "$root/$(dirname "$completion")"
  "$FOB" --generate-completion-script "$shell" | sed '1{/^#!/d}' >"$root/$completion"
done
install -D -m 644 packaging/lintian-overrides "$root/usr/share/lintian/overrides/fob"
scripts/changelog.py --debian | gzip -9n >"$documents/changelog.gz"
scripts/manpages.py "$FOB" "$root/usr/share/man/man1"
gzip -9n "$root"/usr/share/man/man1/*.1

# Which packages the binary's libraries are of, by Debian's own tool.
mkdir -p "$root/debian"
printf 'Source: fob\n\nPackage: fob\nArchitecture: any\n' >"$root/debian/control"
depends=$(cd "$root" && dpkg-shlibdeps --ignore-missing-info -O usr/bin/fob 2>/dev/null |
  sed -n 's/^shlibs:Depends=//p')
rm -r "$root/debian"
scripts/sbom.py "$FOB" "$version" "$depends" "$documents/fob.spdx.json" "$documents/NOTICES" \
  "$documents/copyright"
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: fob
Version: $version
Architecture: $architecture
Maintainer: The fob developers <fob@example.org>
Section: devel
Priority: optional
Installed-Size: $(du -sk "$root" | cut -f 1)
Depends: $depends
Recommends: ca-certificates
Suggests: libpq5, python3, qemu-system-arm, wireshark | tshark
Description: firmware simulator and bridge for a keychain panic alarm
 The keychain's own firmware on an emulated board behind a pty, a socket or a
 serial port; a bridge that finds keychains and carries each press to its end;
 a monitor, a conformance suite and a simulation for its developers.
END

echo /etc/fob/core.yaml >"$root/DEBIAN/conffiles"
install -m 755 packaging/postinst packaging/prerm packaging/postrm "$root/DEBIAN"
(cd "$root" && find usr etc -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) \
  >"$root/DEBIAN/md5sums"

package=$out/fob_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >&2
cp "$package" "$out/fob.deb"
echo "$package"
