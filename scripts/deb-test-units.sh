#!/usr/bin/env bash
# What deb-test.sh does where systemd is process 1: the units of /new.deb are enabled, go on over an
# upgrade, and end with the package. Says "ok" last.
set -euo pipefail
# The answer is in the log; the system ends with the test.
trap 'journalctl --unit fob-core --unit fob-bridge --no-pager --lines 40; systemctl poweroff' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}
main_pid() { systemctl show --property MainPID --value "$1"; }
expect() {
  local unit said
  for unit in fob-core fob-bridge; do
    said=$(systemctl "$1" "$unit") || true
    [[ $said == "$2" ]] || fail "$unit $1: $said, not $2"
  done
}

dpkg -i /new.deb
expect is-enabled disabled
expect is-active inactive

systemctl enable --now fob-core
until curl --silent --fail 127.0.0.1:8787/readyz; do sleep 0.1; done
[[ $(stat -c %a /var/lib/private/fob) == 700 ]] || fail "others can look into the state"
# As systemd/README.md has it.
systemd-run -qP -p DynamicUser=yes -p User=fob-core -p StateDirectory=fob \
  -p StateDirectoryMode=0700 fob token create --scope feed >/run/token
install -m 600 /run/token /etc/fob/bridge.token
mkdir /etc/systemd/system/fob-bridge.service.d
cat >/etc/systemd/system/fob-bridge.service.d/core.conf <<'END'
[Service]
ExecStart=
ExecStart=/usr/bin/fob bridge --core http://127.0.0.1:8787 --token-file token --json
END
systemctl daemon-reload
systemctl enable --now fob-bridge
expect is-active active

before="$(main_pid fob-core) $(main_pid fob-bridge)"
dpkg -i /new.deb
expect is-active active
expect is-enabled enabled
read -r core bridge <<<"$before"
[[ $(main_pid fob-core) != "$core" && $(main_pid fob-bridge) != "$bridge" ]] ||
  fail "an upgrade leaves the older program running"

dpkg --remove fob
[[ -z $(pgrep -x fob) ]] || fail "fob still runs"
[[ -f /var/lib/private/fob/fob.sqlite ]] || fail "removal took the state"
# The administrator's own file is the administrator's to take away.
rm -r /etc/systemd/system/fob-bridge.service.d
dpkg --purge fob
left=$(find /etc /var/lib /usr -path /var/lib/dpkg -prune -o -name '*fob*' -print)
[[ -z $left ]] || fail "left behind: $left"
echo "ok"
