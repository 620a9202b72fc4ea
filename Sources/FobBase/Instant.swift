/// A point on one machine's own clock, in microseconds since that clock began.
///
/// On the device the clock begins at boot; on the host it is CLOCK_BOOTTIME. It is signed, so that
/// it can name a moment before this boot. Machines never read a clock: every `Instant` is handed to
/// them.
public struct Instant: Hashable, Comparable, Sendable {
  /// Below zero: before the clock began.
  public var microseconds: Int64

  /// Takes any number.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
  /// Wraps on overflow, as all sums and differences here do.
  public static func + (a: Instant, b: Interval) -> Instant {
    Instant(microseconds: a.microseconds &+ b.microseconds)
  }
  /// The moment that is `b` before `a`.
  public static func - (a: Instant, b: Interval) -> Instant {
    Instant(microseconds: a.microseconds &- b.microseconds)
  }
  /// How long `a` is after `b`: negative where it is before.
  public static func - (a: Instant, b: Instant) -> Interval {
    Interval(microseconds: a.microseconds &- b.microseconds)
  }

  /// The earlier of two; nil is later than any, and only two nils give nil.
  public static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}

/// A length of time in microseconds; negative from a later moment to an earlier one.
public struct Interval: Hashable, Comparable, Sendable {
  /// Below zero: backwards.
  public var microseconds: Int64

  /// Takes any number.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// No time.
  public static let zero = Interval(microseconds: 0)
  /// As `init(microseconds:)`, to be written as `.microseconds(5)`.
  public static func microseconds(_ n: Int64) -> Interval { Interval(microseconds: n) }
  /// 1,000 µs each; wraps on overflow.
  public static func milliseconds(_ n: Int64) -> Interval { Interval(microseconds: n &* 1_000) }
  /// 1,000,000 µs each; wraps on overflow.
  public static func seconds(_ n: Int64) -> Interval { Interval(microseconds: n &* 1_000_000) }
  /// 60 s each; wraps on overflow.
  public static func minutes(_ n: Int64) -> Interval { .seconds(n &* 60) }

  public static func < (a: Interval, b: Interval) -> Bool { a.microseconds < b.microseconds }
  /// Wraps on overflow.
  public static func + (a: Interval, b: Interval) -> Interval {
    Interval(microseconds: a.microseconds &+ b.microseconds)
  }
  /// Wraps on overflow.
  public static func - (a: Interval, b: Interval) -> Interval {
    Interval(microseconds: a.microseconds &- b.microseconds)
  }
}
