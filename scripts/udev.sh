#!/usr/bin/env bash
# Installs or removes the udev rule of keychains.
#   scripts/udev.sh install|uninstall             as root, in /etc/udev/rules.d
#   DESTDIR=FOLDER scripts/udev.sh install        below FOLDER: files only, nothing is told to udevd
set -euo pipefail
cd "$(dirname "$0")/.."

usage="usage: scripts/udev.sh install|uninstall   (DESTDIR=FOLDER: below FOLDER)"
what=${1:?$usage}
destination=${DESTDIR:-}
name=70-fob.rules
rule=$destination/etc/udev/rules.d/$name

say() { echo "udev: $*"; }

# So that what is plugged in already gets what the rules say now.
tell_udevd() {
  if [[ -n $destination ]]; then return; fi
  if ! command -v udevadm >/dev/null || ! udevadm control --ping --timeout=5 2>/dev/null; then
    say "udevd does not run here (a container?): the rule counts where it does, from its start on"
    return
  fi
  udevadm control --reload
  udevadm trigger --action=change --subsystem-match=usb --subsystem-match=usb-serial \
    --subsystem-match=tty
  udevadm settle --timeout=10 || say "udevd is still at work: udevadm settle waits for it"
  say "udevd has read its rules anew and looked at what is plugged in"
}

# The rule names a group that exists on Debian; who is in it is the owner's decision.
tell_of_group() {
  local user=${SUDO_USER:-$(id -un)}
  if [[ -n $destination ]]; then return; fi
  if ! getent group plugdev >/dev/null; then
    say "there is no group plugdev here: groupadd --system plugdev, then run this again"
  elif [[ $user != root ]] && ! id -nG "$user" | tr ' ' '\n' | grep -qx plugdev; then
    say "$user is not in the group plugdev: sudo usermod -aG plugdev $user, then log in again"
    say "(who sits at this machine's own screen may open keychains without it)"
  fi
}

# Before the first change, so that a refusal leaves nothing half done.
require_right() {
  if [[ -z $destination && $(id -u) != 0 ]]; then
    say "/etc/udev/rules.d is root's: sudo $0 $what" >&2
    exit 77
  fi
}

case $what in
install)
  require_right
  install -D -m 644 "udev/$name" "$rule"
  say "installed $rule"
  tell_udevd
  tell_of_group
  ;;
uninstall)
  require_right
  if [[ ! -e $rule ]]; then
    say "$rule is not there"
    exit 0
  fi
  rm "$rule"
  say "removed $rule; what is plugged in keeps its group until it is plugged in anew"
  tell_udevd
  if [[ -z $destination && -e /usr/lib/udev/rules.d/$name ]]; then
    say "the rule of the Debian package counts again"
  fi
  ;;
*)
  echo "$usage" >&2
  exit 64
  ;;
esac
