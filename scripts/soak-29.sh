#!/usr/bin/env bash
# The long tests of cores that take over. 20,000 worlds of two cores in virtual time; two cores on
# one PostgreSQL server, of which one is killed, stopped, woken, ended or cut off from the server
# 210 times under presses; then three servers under Patroni, of which each third time the primary
# is killed: FOB_ROUNDS rounds (90).
set -euo pipefail
cd "$(dirname "$0")/.."

export FOB_SOAK=1 TEST_SECONDS=${SOAK_SECONDS:-4200}
scripts/swift-test.sh --filter 'StoreEngineTests|Postgres[A-Za-z]+Tests|LeadWorldTests'
scratch=$(mktemp -d /tmp/fob-cluster.XXXXXX)
chmod 755 "$scratch"
export FOB_CLUSTER=$scratch/c
trap 'examples/cluster/cluster down "$FOB_CLUSTER" || true; rm -rf "$scratch"' EXIT
examples/cluster/cluster up "$FOB_CLUSTER"
FOB_ROUNDS=${FOB_ROUNDS:-90} scripts/swift-test.sh --skip-build --filter 'PostgresCoresTests'
scripts/cluster-tests.sh
