public import FobBase
import Glibc
import SerialIO

/// Whether a fleet on one thread keeps up with its time: how late its keychains were served.
///
/// Times are counted in powers of two, so a percentile is told as the upper end of its power: at
/// most twice the true one, never less.
public struct FleetPace: Sendable {
  /// Turns that were due at a time, and not because of bytes or commands.
  public private(set) var turns: UInt64 = 0
  public private(set) var longest = Interval.zero
  private var counts = InlineArray<40, UInt64>(repeating: 0)

  public init() {}

  /// - Parameter late: since the turn was due.
  mutating func note(_ late: Interval) {
    turns += 1
    longest = max(longest, late)
    let microseconds = UInt64(max(0, late.microseconds))
    counts[min(counts.count - 1, UInt64.bitWidth - microseconds.leadingZeroBitCount)] += 1
  }

  /// What came since an earlier moment; the longest is then told as a percentile is.
  public func since(_ earlier: FleetPace?) -> FleetPace {
    guard let earlier else { return self }
    var pace = self
    pace.turns -= earlier.turns
    for power in counts.indices { pace.counts[power] -= earlier.counts[power] }
    pace.longest = min(longest, pace.lateness(at: 1))
    return pace
  }

  /// - Parameter share: of the turns, 0...1.
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

/// What a fleet's thread sleeps on: the lines, the waker and the earliest deadline.
final class FleetWaits: Sendable {
  let ready: ReadySet
  let alarm: TimerFD
  /// Of the waker and the alarm; those of members are not negative.
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
