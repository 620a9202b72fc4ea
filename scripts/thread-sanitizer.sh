#!/usr/bin/env bash
# The tests of what has threads, under ThreadSanitizer; with arguments those of `swift test`.
# ThreadSanitizer does not know the futex of Synchronization.Mutex and reports correct programs. So
# this builds a copy of the tree, in .build-tsan, in which Mutex stands on a lock of pthread.
set -euo pipefail
cd "$(dirname "$0")/.."

copy=.build-tsan/fob
mkdir -p $copy
rm -rf $copy/Sources $copy/Tests
git ls-files -z -- Package.swift Sources Tests firmware-protocol docs examples udev systemd |
  tar --create --null --files-from=- | tar --extract --directory $copy
mkdir -p $copy/Sources/TracedLocks
cp scripts/thread-sanitizer/Mutex.swift $copy/Sources/TracedLocks/
grep -rlE '^([a-z]+ )?import Synchronization$' $copy/Sources $copy/Tests --include='*.swift' |
  grep -v /TracedLocks/ | xargs sed -i -E 's/^(([a-z]+ )?import) Synchronization$/\1 TracedLocks/'
cat >>$copy/Package.swift <<'END'

package.targets.append(.target(name: "TracedLocks", swiftSettings: house))
for target in package.targets where target.swiftSettings != nil && target.name != "TracedLocks" {
  target.dependencies.append("TracedLocks")
}
END
if (($# == 0)); then
  # Not the firmware on a Cortex-M, which has no threads; not a fleet, which is too slow so; and not
  # starting a program: the sanitizer makes a fork of vfork, whose failure then goes unheard.
  set -- --filter '^(SerialIO|Control|Transport|Emulator|Bridge)Tests\.' \
    --skip 'MachineTests|FirmwareBootTests|LockstepTests|QEMU|FleetTests|ChildProgramTests'
fi
cd $copy
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 second_deadlock_stack=1"
swift build --build-tests --disable-xctest --sanitize thread
exec swift test --skip-build --disable-xctest --sanitize thread "$@"
