import AlertCore
import FobBase
import SerialIO
import Storage
import Synchronization

/// What the threads of the process do for one account, and waiting for the results of a step.
extension CoreRunner {
  /// Waits until all that was decided is durable, or the deadline.
  func finish(by deadline: Instant) {
    _ = waits(until: deadline) { machines, _ in !machines.core.hasUncommitted }
  }

  /// From now on nothing is decided here: who presses is not answered, and presses again.
  /// - Returns: false, and nothing has changed, where an alarm is open, a press is not understood,
  ///   or something is still under way at the deadline.
  func close(by deadline: Instant) -> Bool {
    var asked: [@Sendable (Answer) -> Void] = []
    let isClosed = waits(until: deadline) { machines, _ in
      guard !machines.isPerforming, !machines.core.hasUncommitted, machines.core.isQuiet
      else { return false }
      machines.isClosed = true
      asked = Array(machines.answers.values)
      machines.answers = [:]
      return true
    }
    for tell in asked { tell(.gone) }
    return isClosed
  }

  func reopen() { machines.withLock { $0.isClosed = false } }

  /// Called by the commit thread.
  func committed(_ batch: CommitBatch, _ end: AlertStore.Committed) {
    switch end {
    case .success(let ids):
      handle(.committed(batch.number))
      // The keychain's ack goes out first: it does not wait until readers are woken.
      feed.publish(LogEntry.lines(batch.changes.log, ids: ids))
    case .failure(let error): handle(.commitFailed(batch.number, reason: "\(error)"))
    }
  }

  /// Called by the timer's thread, which has forgotten the account's wake.
  func wake() {
    machines.withLock { $0.armed = nil }
    handle(.wake)
    let now = process.clock.now()
    if machines.withLock({ $0.zoneDue.map { $0 <= now } ?? false }) { renewZone() }
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
    return process.commits.answers(by: deadline) { store.awaitsServer }
      ? nil : "the commit thread does not answer"
  }

  // MARK: Waiting for what comes of it

  /// Decides everything that became due when a test moved the clock.
  func clockMoved() {
    handle(.clockMoved)
    renewZone()
  }

  /// Waits until nothing is due and every decision is committed; false at the deadline.
  func isSettled(by deadline: Instant) -> Bool {
    waits(until: deadline) { machines, now in
      let isDue = machines.core.nextWake(after: now).map { $0.at <= now.at } ?? false
      return !isDue && !machines.core.hasUncommitted
    }
  }

  /// - Parameter isMet: checked now and after each step.
  /// - Returns: false if it is not met by the deadline, or if the runner stops.
  private func waits(
    until deadline: Instant, _ isMet: (inout Machines, Timestamp) -> Bool
  ) -> Bool {
    waiting.add(1, ordering: .acquiringAndReleasing)
    defer { waiting.subtract(1, ordering: .acquiringAndReleasing) }
    while true {
      process.steps.clear()
      if machines.withLock({ isMet(&$0, timestamp()) }) { return true }
      let now = BootClock.now()
      guard now < deadline, !process.isStopped else { return false }
      // Another waiter may have cleared the signal.
      let next = min(deadline, now + .milliseconds(50))
      _ = try? Syscall.poll(process.steps.descriptor, for: 1, until: next)
    }
  }
}

extension Answer {
  /// Of an account that is deleted.
  static let gone = Answer(state: .noEmergency, refusal: .noAccount, isDurable: true)
}
