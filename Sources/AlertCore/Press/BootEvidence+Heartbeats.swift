import FobBase
import WireProtocol

/// The clock of a boot by its heartbeats, and what that clock proves.
extension BootEvidence {
  /// Takes a heartbeat.
  /// - Returns: why this boot proves nothing any more; given once.
  mutating func hear(_ beat: Heartbeat, at now: Timestamp) -> Reason.Contradiction? {
    guard !isDoubted else { return nil }
    heardAt = now
    newest = Stamp(clock: beat.uptime, at: now)
    if beat.unacked == 0 { emptyAt = max(emptyAt ?? 0, beat.uptime) }
    givenUp = UInt64(beat.evictedEvents) + UInt64(beat.mergedPresses)
    if isLeaping {
      return doubt(.numbersLeap(from: lowest, to: highest))
    }
    guard let anchor else {
      begin(Stamp(clock: beat.uptime, at: now))
      return nil
    }
    let lag = lag(of: beat.uptime, after: anchor, at: now)
    let unnoticed = unnoticed(since: anchor, at: now)
    guard lag >= -unnoticed else { return doubt(.clockAhead) }
    guard lag <= unnoticed, beat.uptime >= uptime else { return fallBehind(at: now) }
    behindSince = nil
    uptime = beat.uptime
    // Otherwise drift would excuse more and more with time.
    if now.since(anchor.at) >= PressTimes.anchored {
      self.anchor = Stamp(clock: beat.uptime, at: now)
    }
    return nil
  }

  mutating func begin(_ anchor: Stamp) {
    self.anchor = anchor
    uptime = anchor.clock
    guard let candidate else { return }
    self.candidate = nil
    let lag = lag(of: candidate.clock, after: anchor, at: candidate.receivedAt)
    let unnoticed = unnoticed(since: anchor, at: candidate.receivedAt)
    if lag <= unnoticed, lag >= -PressTimes.exact.microseconds { reference = candidate }
  }

  /// A lag that lasts is a contradiction: a slow line catches up, and a clock that stands or went
  /// back does not.
  mutating func fallBehind(at now: Timestamp) -> Reason.Contradiction? {
    guard let since = behindSince else {
      behindSince = now
      return nil
    }
    return now.since(since) > PressTimes.unnoticed ? doubt(.clockBehind) : nil
  }

  // MARK: What it proves

  mutating func forgetClock() {
    anchor = nil
    newest = nil
    behindSince = nil
    reference = nil
    candidate = nil
  }

  /// Whether the keychain may have kept a press until now, which at that time kept nothing.
  static func mayHaveKept(_ press: EventIdentity, _ emptyAt: UInt64?) -> Bool {
    let exact = PressTimes.exact.unsigned
    return emptyAt.map { $0 <= exact || press.clock >= $0 - exact } ?? true
  }

  /// The event that a press may be proved older than; nil: none can be relied on.
  var reliableReference: Reference? {
    guard !isDoubted, behindSince == nil, !isLeaping, let reference, reference.isFollowing
    else { return nil }
    return reference
  }

  /// Whether an event was made while the keychain was out of reach, by a clock that other events
  /// fitted. The boot counter is compared as well, since a defective keychain has the same nonce in
  /// each boot.
  func isFrom(_ outage: Outage, _ event: HeardEvent) -> Bool {
    guard !isDoubted, behindSince == nil, let anchor,
      reference?.number.boot == event.identity.number.boot,
      let over = outage.over(at: event.receivedAt)
    else { return false }
    return lag(of: event.clock, after: anchor, at: event.receivedAt)
      > over + unnoticed(since: anchor, at: event.receivedAt)
  }
}
