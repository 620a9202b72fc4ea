import FobBase

/// A time in which presses of a keychain may have been missed: its line was down or silent, or lost
/// frames. Losses that follow each other closely count as one outage.
struct Outage: Sendable {
  private(set) var since: Timestamp
  /// When it was heard again; nil: not yet.
  private var until: Timestamp?

  init(since: Timestamp) { self.since = since }

  mutating func lost(at now: Timestamp) {
    if !isCurrent(at: now) { since = now }
    until = nil
  }

  mutating func heardAgain(at now: Timestamp) {
    if !isCurrent(at: now) { since = now }
    until = now
  }

  mutating func missed(at now: Timestamp) {
    if until != nil { heardAgain(at: now) }
  }

  /// The outage lasts, or its missed events are still coming: a keychain sends 64 records again in
  /// 5 s at 9,600 baud, and those that are lost again 2 s later.
  func isCurrent(at now: Timestamp) -> Bool {
    until.map { now.since($0) <= PressTimes.madeUp } ?? true
  }

  /// The outage is over, and its missed events are still coming.
  func isHeardAgain(at now: Timestamp) -> Bool { until != nil && isCurrent(at: now) }

  /// How long before `now` it ended, µs; nil where it has not ended, or its missed events have had
  /// their time.
  func over(at now: Timestamp) -> Int64? {
    until.flatMap { isCurrent(at: now) ? max(0, now.since($0).microseconds) : nil }
  }
}
