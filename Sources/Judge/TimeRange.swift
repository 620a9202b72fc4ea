import FobBase

extension Instant {
  static let longAgo = Instant(microseconds: .min / 2)
}

/// A moment that is known to lie between two, the same where it was seen.
struct TimeRange: Equatable, Sendable {
  var earliest: Instant
  var latest: Instant

  init(_ timestamp: Instant) { self.init(timestamp, timestamp) }

  init(_ earliest: Instant, _ latest: Instant) {
    self.earliest = earliest
    self.latest = latest
  }

  static func + (span: TimeRange, interval: Interval) -> TimeRange {
    TimeRange(span.earliest + interval, span.latest + interval)
  }
}

/// The time that a host was down, as its own clocks tell it.
struct DownTime: Sendable {
  let since: Instant
  /// By the wall clock, over all reboots of it; nil while the boot clock goes on.
  private var elapsed: Interval?
  private var countedTo: Instant

  init(since: Instant) {
    self.since = since
    countedTo = since
  }

  mutating func rebooted(elapsedByWall: Interval, at now: Instant) {
    elapsed = (elapsed ?? .zero) + elapsedByWall
    countedTo = now
  }

  /// What a host that starts now takes the time to be that it was down; nil where it has not been
  /// rebooted and so need not guess.
  func elapsed(at now: Instant) -> Interval? { elapsed.map { $0 + (now - countedTo) } }
}
