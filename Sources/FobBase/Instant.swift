/// A point on one machine's own clock, in microseconds since that clock began.
///
/// On the device the clock begins at boot; on the host it is CLOCK_BOOTTIME. Signed, so that
/// something that began before this boot can still be said. Machines never read a clock: every
/// `Instant` they see was handed to them.
public struct Instant: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
  public static func + (a: Instant, b: Interval) -> Instant {
    Instant(microseconds: a.microseconds &+ b.microseconds)
  }
  public static func - (a: Instant, b: Interval) -> Instant {
    Instant(microseconds: a.microseconds &- b.microseconds)
  }
  public static func - (a: Instant, b: Instant) -> Interval {
    Interval(microseconds: a.microseconds &- b.microseconds)
  }

  /// The earlier of two, either of which may be none.
  public static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}

/// A length of time in microseconds, negative where an order is undone.
public struct Interval: Hashable, Comparable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static let zero = Interval(microseconds: 0)
  public static func microseconds(_ n: Int64) -> Interval { Interval(microseconds: n) }
  public static func milliseconds(_ n: Int64) -> Interval { Interval(microseconds: n &* 1_000) }
  public static func seconds(_ n: Int64) -> Interval { Interval(microseconds: n &* 1_000_000) }
  public static func minutes(_ n: Int64) -> Interval { .seconds(n &* 60) }

  public static func < (a: Interval, b: Interval) -> Bool { a.microseconds < b.microseconds }
  public static func + (a: Interval, b: Interval) -> Interval {
    Interval(microseconds: a.microseconds &+ b.microseconds)
  }
  public static func - (a: Interval, b: Interval) -> Interval {
    Interval(microseconds: a.microseconds &- b.microseconds)
  }
}
