#!/usr/bin/env bash
# What deb-test.sh does in the bare system, where /new.deb and /old.deb are. The argument: seconds
# that the first alarm may take.
set -euo pipefail
bar=$1
export DEBIAN_FRONTEND=noninteractive

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
quietly() { "$@" >/tmp/said 2>&1 || { cat /tmp/said >&2; fail "$*"; }; }
as_user() { su tester -c "cd && $*"; }
# Files, but for those that dpkg, apt and the linker keep for themselves, and what is ours to test.
files() {
  find / -xdev \( -path /var/lib/dpkg -o -path /var/cache -o -path /var/log -o -path /var/lib/apt \
    -o -path /srv/tester \) -prune -o \( -type f -o -type l -o -type d \) -print | sort
}

useradd --create-home --home-dir /srv/tester --shell /bin/bash tester
echo "--- from a bare Debian $(cat /etc/debian_version) to the first alarm"
begun=$EPOCHREALTIME
since() { awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'; }
quietly apt-get update
updated=$(since)
quietly apt-get install --yes --no-install-recommends /new.deb
installed=$(since)
alarm='' last=''
while read -r line; do
  last=$line
  if [[ -z $alarm && $line == *EMERGENCY_SENDING* ]]; then alarm=$(since); fi
done < <(as_user fob run --demo && echo "ended with 0")
[[ $last == "ended with 0" ]] || fail "the demo, which ends by saying: $last"
[[ -n $alarm ]] || fail "there was no alarm"
echo "apt update $updated s, installed $installed s, first alarm $alarm s; the bar is $bar s"
awk -v a="$alarm" -v b="$bar" 'BEGIN { exit a > b }' || fail "the first alarm came too late"

echo "--- as installed"
as_user /usr/share/doc/fob/examples/ci/press.sh
for command in $(fob --help | sed -n '/^SUBCOMMANDS/,/^$/s/^  \([a-z]\+\) .*/\1/p'); do
  [[ -f /usr/share/man/man1/fob-$command.1.gz ]] || fail "no man page of $command"
done
[[ -f /usr/share/man/man1/fob.1.gz ]] || fail "no man page of fob"
[[ -z $(find /etc/systemd/system -name 'fob*' 2>/dev/null) ]] || fail "a unit is enabled"
[[ $(stat -c '%a %U' /etc/fob /etc/fob/core.yaml | xargs) == "700 root 600 root" ]] ||
  fail "others can look into /etc/fob"
quietly dpkg --verify fob
quietly dpkg --purge fob

echo "--- an upgrade"
# systemd's own, where there is one.
install -d -m 700 /var/lib/private
files >/tmp/before
quietly dpkg -i /old.deb
[[ $(dpkg-query -W -f '${Version}' fob) == 0.0.1 ]] || fail "the older package"
echo "# ours" >>/etc/fob/core.yaml
(umask 077 && echo 2468 >/tmp/pin)
install -d -m 700 /var/lib/private/fob
ln -s private/fob /var/lib/fob
# A core of the older package keeps its state where the unit has it; that of the newer reads it.
core() {
  STATE_DIRECTORY=/var/lib/fob setpriv --pdeathsig TERM fob core --bench --pin-file /tmp/pin \
    --control /run/core.sock --ready-fd 3 3>/tmp/ready >/tmp/core.log 2>&1 &
  core=$!
  for _ in $(seq 300); do
    if grep -q ready /tmp/ready; then return; fi
    kill -0 "$core" 2>/dev/null || { cat /tmp/core.log; fail "the core ended"; }
    sleep 0.1
  done
  fail "the core is not ready after 30 s"
}
core
kill "$core"
wait "$core" || fail "the older core ended with $?"
quietly dpkg -i /new.deb
grep -q '^# ours$' /etc/fob/core.yaml || fail "the upgrade took the owner's configuration"
core
fob ctl --socket /run/core.sock status | grep -q '"state":"NO_EMERGENCY"' || fail "no state"
kill "$core"
wait "$core" || fail "the newer core ended with $?"

echo "--- removed, and purged"
echo token >/etc/fob/bridge.token
quietly dpkg --remove fob
grep -q '^# ours$' /etc/fob/core.yaml || fail "removal took the owner's configuration"
[[ -f /var/lib/private/fob/fob.sqlite ]] || fail "removal took the state"
command -v fob && fail "fob is still there"
quietly dpkg --purge fob
files >/tmp/after
diff /tmp/before /tmp/after || fail "this is what a purge leaves behind"
echo "first alarm after $alarm s; nothing is left behind"
# For deb-test-units.sh, which has no network.
quietly apt-get install --yes --no-install-recommends systemd systemd-sysv dbus curl procps
