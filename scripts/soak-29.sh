#!/usr/bin/env bash
# The long tests of cores that take over. 20,000 worlds of two cores in virtual time; two cores on
# one PostgreSQL server, of which one is killed, stopped, woken or ended a hundred times under
# presses; then the same on three servers under Patroni, whose primary is killed as well: FOB_ROUNDS
# rounds (60), every third with that.
set -euo pipefail
cd "$(dirname "$0")/.."

export FOB_SOAK=1 TEST_SECONDS=${SOAK_SECONDS:-4200}
scripts/swift-test.sh --filter 'StoreEngineTests|Postgres[A-Za-z]+Tests|LeadWorldTests'
scratch=$(mktemp -d /tmp/fob-cluster.XXXXXX)
chmod 755 "$scratch"
export FOB_CLUSTER=$scratch/c
trap 'examples/cluster/cluster down "$FOB_CLUSTER" || true; rm -rf "$scratch"' EXIT
examples/cluster/cluster up "$FOB_CLUSTER"
FOB_ROUNDS=${FOB_ROUNDS:-60} scripts/swift-test.sh --skip-build --filter 'PostgresCoresTests'
scripts/cluster-tests.sh
