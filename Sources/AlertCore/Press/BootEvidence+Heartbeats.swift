import FobBase
import WireProtocol

/// The clock of a boot, as its heartbeats show it, and what it proves.
extension BootEvidence {
  /// - Returns: why nothing of this boot is to be relied on any more, once.
  mutating func hear(_ beat: Heartbeat, at now: Timestamp) -> Reason.Contradiction? {
    guard !isDoubted else { return nil }
    heardAt = now
    newest = Stamp(clock: beat.uptime, at: now)
    if beat.unacked == 0 { emptyAt = max(emptyAt, beat.uptime) }
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
    // Else drift would excuse the more, the longer it has been heard.
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

  /// A line that was slow catches up; a clock that stands or has gone back does not.
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

  /// Whether a press may have been kept until now, by what the keychain said of what it keeps.
  func mayHaveKept(_ press: HeardEvent) -> Bool {
    emptyAt <= PressTimes.exact.unsigned || press.clock >= emptyAt - PressTimes.exact.unsigned
  }

  /// What a press may be older than.
  var reliableReference: Reference? {
    guard !isDoubted, behindSince == nil, !isLeaping, let reference, reference.isFollowing
    else { return nil }
    return reference
  }

  /// Made while the keychain was out of reach, by a clock that events were seen to go by: of the
  /// boot that it counts itself, since a defective one has the same nonce in each.
  func isFrom(_ outage: Outage, _ event: HeardEvent) -> Bool {
    guard !isDoubted, behindSince == nil, let anchor,
      reference?.number.boot == event.identity.number.boot,
      let over = outage.over(at: event.receivedAt)
    else { return false }
    return lag(of: event.clock, after: anchor, at: event.receivedAt)
      > over + unnoticed(since: anchor, at: event.receivedAt)
  }
}
