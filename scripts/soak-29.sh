#!/usr/bin/env bash
# The long tests of cores that take over. 20,000 worlds of two cores in virtual time; two cores on
# one PostgreSQL server, of which one is killed, stopped, woken, ended or cut off from the server
# or the bridge 210 times under presses; then three servers under Patroni, each on a host of its
# own, of which each third time the primary is killed, and between which ways are cut: FOB_ROUNDS
# rounds (90). Needs root, for those hosts.
set -euo pipefail
cd "$(dirname "$0")/.."

export FOB_SOAK=1 TEST_SECONDS=${SOAK_SECONDS:-4200}
if [[ ${1:-} != parted ]]; then
  scripts/swift-test.sh --filter 'StoreEngineTests|Postgres[A-Za-z]+Tests|LeadWorldTests'
  unshare --mount --net scripts/soak-29.sh parted
  exec scripts/cluster-tests.sh
fi

scratch=$(mktemp -d /tmp/fob-cluster.XXXXXX)
chmod 755 "$scratch"
export FOB_CLUSTER=$scratch/c
trap 'scripts/parted-cluster down "$FOB_CLUSTER" || true; rm -rf "$scratch"' EXIT
scripts/parted-cluster up "$FOB_CLUSTER"
FOB_ROUNDS=${FOB_ROUNDS:-90} scripts/swift-test.sh --skip-build --filter 'PostgresCoresTests'
