public import FobBase

/// A time on both clocks: the core decides by `instant` (CLOCK_BOOTTIME of boot `boot`) and tells
/// people `wall` (µs since 1970). Stored deadlines carry all three, so that they survive a reboot
/// of the host.
public struct Timestamp: Codable, Hashable, Sendable {
  /// Which boot of the host `instant` counts from.
  public var boot: UInt64
  /// Microseconds; negative for what began before this boot.
  public var instant: Int64
  /// Microseconds since 1970-01-01 UTC.
  public var wall: Int64

  /// `instant` is the clock of boot `boot`; `wall` counts µs since 1970-01-01 UTC.
  public init(boot: UInt64, instant: Instant, wall: Int64) {
    self.boot = boot
    self.instant = instant.microseconds
    self.wall = wall
  }

  /// Moves both clocks by the same interval, within the same boot. Overflow wraps.
  public static func + (timestamp: Timestamp, interval: Interval) -> Timestamp {
    var later = timestamp
    later.instant &+= interval.microseconds
    later.wall &+= interval.microseconds
    return later
  }

  /// Time since an earlier moment of the same boot.
  public func since(_ earlier: Timestamp) -> Interval {
    .microseconds(instant &- earlier.instant)
  }

  /// `instant` as a typed moment, to be compared within one boot only.
  public var at: Instant { Instant(microseconds: instant) }

  /// The earlier of two deadlines; nil counts as never.
  static func earlier(_ one: Timestamp?, _ other: Timestamp?) -> Timestamp? {
    guard let one, let other else { return one ?? other }
    return one.at < other.at ? one : other
  }

  /// The same time on the clock of the present boot. After a reboot the time that passed is the
  /// wall clock's difference, at least zero.
  /// - Returns: the time, and whether the wall clock went back behind it.
  func rebased(to now: Timestamp) -> (timestamp: Timestamp, clockWentBack: Bool) {
    guard boot != now.boot else { return (self, false) }
    let elapsed = now.wall &- wall
    var timestamp = self
    timestamp.boot = now.boot
    timestamp.instant = now.instant &- max(0, elapsed)
    // Otherwise each later reboot would find again that the clock went back.
    timestamp.wall = min(wall, now.wall)
    return (timestamp, elapsed < 0)
  }
}
