import FobBase

/// Check-ins beside the alarm: what they raise, and what they must not hide.
extension HostWitness {
  mutating func storeCheckIns(
    _ batch: Batch, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    if !batch.series.isEmpty || !batch.removedSeries.isEmpty { checkIns.seriesOrder = order }
    for case let incident? in batch.checkIns.map(\.incident) { triggers.insert(incident) }
    let isCovered =
      standing.state.isOpen || now - lastEndedAt <= CheckInWitness.longestWait
      || batch.incidents.contains(where: \.state.isOpen)
    checkIns.stored(batch, isCovered: isCovered, at: now, &violationLog)
  }

  mutating func raised(
    _ incident: UInt64, by name: CheckInName?, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    triggers.insert(incident)
    ownersAt = now
    raisedAt = now
    // Whoever has just asked for protection is told after the alarm.
    if !(account.isLoggedIn && account.isProtecting), !requests.waits({ $0 == .protect }) {
      violationLog.accuse(
        .checkInInvented, at: now,
        "host \(index + 1) raised \(incident.incident) by a check-in, and protection is off")
    }
    let rows = disk.rows
    checkIns.raises(
      incident, by: name, at: now, isOnDisk: { rows[$0] != nil }, &violationLog)
  }

  // MARK: Time

  private var raisesNothing: Bool {
    standing.state.isOpen || !account.isLoggedIn || !account.isProtecting
  }

  /// Notes whether an alarm is hidden, and whether one could be raised.
  mutating func weighCheckIns(at now: Instant) {
    if raisesNothing {
      lastBlockedAt = now
    } else if wasBlocked {
      checkIns.freed(at: now)
    }
    wasBlocked = raisesNothing
    exercises.weigh(isLocked: isLocked, at: now)
    if !isLocked { hiddenSince = nil }
  }

  var checkInDeadline: (at: Instant, rule: Violation.Rule, what: StaticString)? {
    guard isRunning else { return nil }
    let hidden = hiddenSince.map { $0 + Rules.atOnce }
    let early = Instant.earlier(hidden, exercises.deadline)
    guard let due = Instant.earlier(early, checkIns.deadline) else { return nil }
    return (due, .checkInForgotten, "has check-ins")
  }

  mutating func checkCheckIns(at now: Instant, _ violationLog: inout ViolationLog) {
    if let over = Rules.takeOverdue(&hiddenSince, at: now) {
      violationLog.accuse(
        .alarmHidden, at: over,
        "host \(index + 1) says that check-ins are due, and \(standing.incident.incident) is open")
    }
    exercises.check(at: now, &violationLog)
    let isBlocked = raisesNothing || now - lastBlockedAt <= Rules.grace
    checkIns.check(at: now, isBlocked: isBlocked, &violationLog)
  }
}
