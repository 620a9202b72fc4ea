#!/usr/bin/env bash
# Three PostgreSQL servers under Patroni and etcd on this machine, as docs/how-to/cluster.md has
# them: the document is played, with a primary that is killed; then what it does not show.
#   FOB=.build/debug/fob   the program; the debug build where it is not named
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -z ${FOB:-} ]]; then
  swift build --product fob
  FOB="$(swift build --show-bin-path)/fob"
fi
scratch=$(mktemp -d /tmp/fob-cluster.XXXXXX)
chmod 755 "$scratch"
export CLUSTER=$scratch/c
cluster=examples/cluster/cluster

finish() {
  $cluster down "$CLUSTER" || true
  rm -rf "$scratch"
}
trap finish EXIT
trap 'echo "cluster-tests: line $LINENO fails" >&2' ERR
trap 'exit 1' INT TERM

fail() {
  echo "cluster-tests: $*" >&2
  tail -n 20 "$CLUSTER"/*/*.log >&2 || true
  exit 1
}

# Programs that work in the cluster's folders.
working() {
  find /proc -mindepth 2 -maxdepth 2 -name cwd -lname "$CLUSTER*" 2>/dev/null || true
}

scripts/documents.py --with cluster "$FOB" docs/how-to/cluster.md || fail "the document fails"
[[ -z $(working) ]] || fail "down leaves $(working)"
[[ $(stat -c '%a %u' "$CLUSTER/pgpass") == "600 $(id -u)" ]] || fail "pgpass is for others, too"
! $cluster status "$CLUSTER" >/dev/null || fail "a cluster that is down takes commits"
! $cluster up "$scratch" 2>/dev/null || fail "it took a folder that has something else in it"

# What a cluster was told before it went down, and by another way than the core's.
url=$($cluster up "$CLUSTER") || fail "it does not come up again"
rows() { psql -XAtq -d "$url&target_session_attrs=read-write" -c "$1"; }
rows 'CREATE TABLE kept (row int); INSERT INTO kept VALUES (7)'
[[ $(rows 'SHOW data_checksums; SHOW synchronous_commit' | paste -sd' ') == 'on on' ]] ||
  fail "no checksums"
standby=$($cluster status "$CLUSTER" | sed -n 's/^fob\([123]\) .* synchronous standby$/\1/p')
$cluster kill "$CLUSTER" "$standby" >/dev/null
[[ $(rows 'UPDATE kept SET row = 8 RETURNING row') == 8 ]] || fail "no commit without fob$standby"
echo "cluster-tests: all is as it should be"
