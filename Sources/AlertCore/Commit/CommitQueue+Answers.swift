import FobBase
import WireProtocol

/// The store's answers, and dropping log entries when too many wait.
extension CommitQueue {
  mutating func loseOldestLines() {
    var excess = waitingLines - Limits.pendingAudit
    logLost += excess
    waitingLines -= excess
    for part in waiting.indices where excess > 0 {
      let lost = min(excess, waiting[part].log.count)
      waiting[part].log.removeFirst(lost)
      excess -= lost
    }
  }

  /// Puts the entry about lost entries first, since the oldest ones were dropped.
  mutating func noteLoss(at now: Timestamp) {
    let line = AuditEvent(.auditLost, at: now, .lost(lines: logLost))
    waiting[0].log.insert(line, at: 0)
    lossUnderWay = (logLost, line)
    logLost = 0
  }

  mutating func committed(_ number: UInt64) -> Committed? {
    guard number == batch, let done = underWay else { return nil }
    underWay = nil
    var events = done.flatMap { changes in
      changes.events.map { ($0.identity, known.commit($0.identity)) }
    }
    for move in done.flatMap(\.moves) {
      events += move.pending.map { ($0, known.commit($0)) }
    }
    for changes in done {
      if let id = changes.changedIncidents.last(where: { $0.trigger != nil })?.id {
        durableTrigger = id
      }
    }
    defer {
      failure = nil
      lossUnderWay = nil
    }
    return Committed(
      decision: done.last?.decision ?? lastDecision, events: events, healed: failure,
      loss: lossUnderWay?.line)
  }

  /// Puts the failed batch back in front of later changes.
  /// - Returns: the last decision in it, and whether the failure is new; nil when no such batch is
  ///   under way.
  mutating func failed(
    _ number: UInt64, _ reason: String, retry: Timestamp, at now: Timestamp
  ) -> (decision: UInt64, isNews: Bool)? {
    guard number == batch, var parts = underWay else { return nil }
    underWay = nil
    if let loss = lossUnderWay {
      parts[0].log.removeFirst()
      logLost += loss.count
      lossUnderWay = nil
    }
    let decision = parts.last?.decision ?? lastDecision
    let later = waiting
    (waiting, waitingEvents, waitingLines) = ([], 0, 0)
    for changes in parts + later { take(changes, at: now) }
    expedite()
    retryAt = retry
    defer { failure = Failure(since: failure?.since ?? now, reason: reason) }
    return (decision, failure == nil)
  }

  /// Why the store fails; a store that does not answer `within` this time fails too.
  func trouble(within: Interval, at now: Timestamp) -> String? {
    if let failure { return failure.reason }
    guard underWay != nil, let begunAt, now.since(begunAt) >= within else { return nil }
    return "the store does not answer"
  }

  /// Whether all presses of an incident are durable, and its trigger where one opened it. A waiting
  /// press with an open meaning counts as well, since it may still become an entry.
  func isDurable(_ incident: borrowing Incident) -> Bool {
    let isOpeningDurable = incident.trigger == nil || incident.id == durableTrigger
    return isOpeningDurable && arePressesDurable(incident.id)
  }

  private func arePressesDurable(_ incident: IncidentID) -> Bool {
    !waiting.contains { $0.holdsPress(of: incident) }
      && !(underWay?.contains { $0.holdsPress(of: incident) } ?? false)
  }
}

extension Changes {
  fileprivate func holdsPress(of incident: IncidentID) -> Bool {
    moves.contains { $0.incident == incident }
      || meanings.values.contains { $0.incident == incident }
      || events.contains {
        $0.incident == incident
          || $0.meaning == .open && $0.record.identity.kind == .pressed
      }
  }
}
