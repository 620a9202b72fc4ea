import FobBase

/// The times of profile `guarded` (protocol, Presses).
enum PressTimes {
  /// A click is shorter; a press held so long is an alarm.
  static let click = Interval.milliseconds(500)
  /// Between the clicks of one gesture, at most.
  static let gap = Interval.milliseconds(400)
  /// An alarm is raised when a press has been held so long, without its release.
  static let hold = Interval.milliseconds(1_500)
  /// What the way here may add to the time between two edges: debouncing and one resend.
  static let transit = Interval.milliseconds(150)
  /// How long the host waits for an edge that may be on its way: a gap, debouncing (50 ms at most)
  /// and one resend (after 100 ms).
  static let patience = Interval.milliseconds(600)
  /// A meaning that is no alarm is acted on up to this age.
  static let oldest = Interval.seconds(10)
  /// How much the stamps of a keychain and what comes of it may be off while all is well:
  /// debouncing, and frames that wait for each other at 9,600 baud.
  static let exact = Interval.milliseconds(250)
  /// A line that says nothing for 3 s is lost, and a bridge on another host for 10 s: what nobody
  /// has noticed made nothing later than that.
  static let unnoticed = Interval.seconds(10)
  /// After an outage events come again for so long: see `Outage.isCurrent`.
  static let madeUp = Interval.seconds(10)
  /// A stamp is compared with one not older than this, so that drift excuses no more than the line.
  static let anchored = Interval.microseconds(unnoticed.microseconds * 1_000)

  /// How much a stamp may be off that came so long after another, µs: clocks drift apart by
  /// 1000 ppm at most (protocol, Time).
  static func unnoticed(over microseconds: Int64) -> Int64 {
    unnoticed.microseconds + Int64(clamping: microseconds.magnitude / 1_000)
  }
}

extension Interval {
  /// Of the keychain's clock.
  var unsigned: UInt64 { UInt64(max(0, microseconds)) }
}
