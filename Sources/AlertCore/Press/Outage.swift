import FobBase

/// A time in which presses of a keychain may have been missed: its line was down, silent, or lost
/// frames. Losses that follow each other closely are one.
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

  /// It lasts, or what was missed in it is still being made up for: a keychain sends 64 records
  /// again in 5 s at 9,600 baud, and what is lost of them after 2 s more.
  func isCurrent(at now: Timestamp) -> Bool {
    until.map { now.since($0) <= PressTimes.madeUp } ?? true
  }

  /// It is over, and what was missed in it is still being made up for.
  func isHeardAgain(at now: Timestamp) -> Bool { until != nil && isCurrent(at: now) }

  /// How long before `now` it was over; nil where it is not, or all is made up for.
  func over(at now: Timestamp) -> Int64? {
    until.flatMap { isCurrent(at: now) ? max(0, now.since($0).microseconds) : nil }
  }
}
