public import FobBase
import Glibc
import SerialIO

/// How late a fleet's thread served its keychains: whether it keeps up with time.
///
/// Times are counted in powers of two, and a percentile is the upper end of its power: at most
/// twice the true one, never less.
public struct FleetPace: Sendable {
  /// Turns that were due at a time; turns because of bytes or commands do not count.
  public private(set) var turns: UInt64 = 0
  /// How late the latest turn was; exact, unless ``since(_:)`` made it.
  public private(set) var longest = Interval.zero
  private var counts = InlineArray<40, UInt64>(repeating: 0)

  /// No turns yet.
  public init() {}

  /// Counts a turn.
  /// - Parameter late: how long after its due time it began.
  mutating func note(_ late: Interval) {
    turns += 1
    longest = max(longest, late)
    let microseconds = UInt64(max(0, late.microseconds))
    counts[min(counts.count - 1, UInt64.bitWidth - microseconds.leadingZeroBitCount)] += 1
  }

  /// The turns since an earlier value of the same fleet, with a `longest` as inexact as a
  /// percentile. Nil gives all turns.
  public func since(_ earlier: FleetPace?) -> FleetPace {
    guard let earlier else { return self }
    var pace = self
    pace.turns -= earlier.turns
    for power in counts.indices { pace.counts[power] -= earlier.counts[power] }
    pace.longest = min(longest, pace.lateness(at: 1))
    return pace
  }

  /// The lateness that this share of the turns did not exceed; zero without turns.
  /// - Parameter share: 0...1.
  public func lateness(at share: Double) -> Interval {
    let wanted = UInt64((Double(turns) * share).rounded(.up))
    var seen: UInt64 = 0
    for power in counts.indices {
      seen += counts[power]
      if seen >= wanted { return min(longest, .microseconds(Int64(1) << Int64(power))) }
    }
    return longest
  }
}

/// The epoll set of a fleet's thread: the lines, the waker and a timer for the earliest deadline.
final class FleetWaits: Sendable {
  let ready: ReadySet
  let alarm: TimerFD
  /// The tags of the waker and the timer; tags of members are not negative.
  static let wakerTag = -1
  private static let alarmTag = -2

  init(_ waker: FleetWaker) throws(IOFailure) {
    let ready = try ReadySet()
    let alarm = try TimerFD()
    try ready.watch(waker.descriptor, for: Int16(POLLIN), as: Self.wakerTag)
    try ready.watch(alarm.descriptor, for: Int16(POLLIN), as: Self.alarmTag)
    self.ready = ready
    self.alarm = alarm
  }
}
