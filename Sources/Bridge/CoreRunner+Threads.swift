import AlertCore
import FobBase
import SerialIO
import Storage
import Synchronization

/// The runner's threads, and waiting for the results of a step.
extension CoreRunner {
  func start() throws(IOFailure) -> [BlockingThread] {
    [
      try BlockingThread(name: "commit") { [self] in commitLoop() },
      try BlockingThread(name: "timer") { [self] in timerLoop() },
    ]
  }

  /// Finishes the pending commits, then ends the threads.
  func stop(within patience: Interval) {
    _ = waits(until: BootClock.now() + patience) { core, _ in !core.hasUncommitted }
    isStopping.store(true, ordering: .releasing)
    commits.close()
    stopSignal.signal()
    steps.signal()
  }

  private func commitLoop() {
    var works: [CommitWork] = []
    while commits.take(into: &works) {
      for work in works {
        guard case .batch(let batch) = work else {
          commitSign.give()
          continue
        }
        let changes = batch.changes
        do {
          let ids = try commit(store, changes)
          handle(.committed(batch.number))
          // The keychain's ack goes out first: it does not wait until readers are woken.
          feed.publish(LogEntry.lines(changes.log, ids: ids))
        } catch {
          handle(.commitFailed(batch.number, reason: "\(error)"))
        }
      }
    }
  }

  private func timerLoop() {
    while true {
      try? Syscall.awaitEither(
        alarm.descriptor, stopSignal.descriptor, or: wallClock.descriptor)
      alarm.clear()
      wallClock.clear()
      machines.withLock { $0.armed = nil }
      guard !isStopping.load(ordering: .acquiring) else { return }
      handle(.wake)
      let now = clock.now()
      if machines.withLock({ $0.zoneDue.map { $0 <= now } ?? false }) { renewZone() }
    }
  }

  /// Hands in the account's zone, at the start, when it may have changed, and each hour, since the
  /// wall clock may be set and the years of a table go by. A zone that the machine does not know is
  /// UTC, as it is in messages.
  func renewZone() {
    var handedIn: String
    repeat {
      let (zone, now) = read { ($0.account.zone, $1) }
      machines.withLock { $0.zoneDue = now.at + .minutes(60) }
      handle(.zoneTable(ZoneTables.table(of: zone, at: now.wall) ?? .utc))
      handedIn = zone
      // Another thread may have been overtaken that had a newer one.
    } while read { core, _ in core.account.zone } != handedIn
  }

  /// Why a press could not be decided and committed by the deadline; nil if it could. A thread that
  /// holds the core's lock for ever blocks this call, too.
  func obstacle(by deadline: Instant) -> String? {
    handle(.wake)
    return commitSign.comes(by: deadline, ask: { _ = commits.put(.answer) })
      ? nil : "the commit thread does not answer"
  }

  // MARK: Waiting for what comes of it

  /// Decides everything that became due when a test moved the clock.
  func clockMoved() {
    machines.withLock { $0.armed = nil }
    handle(.clockMoved)
    renewZone()
  }

  /// Waits until nothing is due and every decision is committed; false at the deadline.
  func isSettled(by deadline: Instant) -> Bool {
    waits(until: deadline) { core, now in
      let isDue = core.nextWake(after: now).map { $0.at <= now.at } ?? false
      return !isDue && !core.hasUncommitted
    }
  }

  /// - Parameter isMet: checked now and after each step.
  /// - Returns: false if it is not met by the deadline, or if the runner stops.
  private func waits(
    until deadline: Instant, _ isMet: (inout AlertCore, Timestamp) -> Bool
  ) -> Bool {
    waiting.add(1, ordering: .acquiringAndReleasing)
    defer { waiting.subtract(1, ordering: .acquiringAndReleasing) }
    while true {
      steps.clear()
      if machines.withLock({ isMet(&$0.core, timestamp()) }) { return true }
      guard BootClock.now() < deadline, !isStopping.load(ordering: .acquiring) else { return false }
      _ = try? Syscall.poll(steps.descriptor, for: 1, until: deadline)
    }
  }
}
