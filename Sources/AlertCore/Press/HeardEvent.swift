import FobBase
import WireProtocol

/// One event of a keychain, as it came to the detector.
struct HeardEvent: Sendable {
  let record: EventRecord
  /// Only the frozen part could be read.
  let isBare: Bool
  let arrivedAt: Moment
  /// The first edge on the host's clock, µs, as a range that surely holds it.
  let happenedAt: ClosedRange<Int64>?
  var meaning: PressDetector.Meaning
  /// A press that was made while the keychain could not be heard, and not just now.
  var isOutOfReach = false
  /// The clock of its boot has contradicted itself or the host's.
  var isClockDoubted = false

  init(
    _ record: EventRecord, isBare: Bool = false, at now: Moment, happenedAt: ClosedRange<Int64>?
  ) {
    self.record = record
    self.isBare = isBare
    arrivedAt = now
    self.happenedAt = happenedAt
    meaning = .noted
    if isEdge { meaning = .open }
  }

  var identity: EventIdentity { record.identity }
  var number: UInt32 { identity.number.n }
  /// Of the first edge, µs since the keychain's boot.
  var clock: UInt64 { identity.clock }
  var isPress: Bool { identity.kind == .pressed }
  var isRelease: Bool { identity.kind == .released }
  var isEdge: Bool { isPress || isRelease }
  /// How many presses it stands for.
  var covers: Int { max(1, Int(record.covered)) }

  /// What makes a press an alarm by itself: how long it was held, or for how many it stands, cannot
  /// be known.
  var alarmsByItself: Reason.Oddity? {
    guard isPress else { return nil }
    if isBare { return .unreadable }
    if isClockDoubted { return .clockDoubted }
    if record.flags.contains(.atBoot) { return .heldAtBoot }
    if record.flags.contains(.merged) { return .merged }
    return nil
  }

  /// Whether a run of the core before this one may have heard it, and told people.
  func isOlder(than start: Moment) -> Bool {
    happenedAt.map { $0.lowerBound < start.instant } ?? true
  }

  /// When a press whose release has not come is taken for a hold: 1.5 s after it began, but not
  /// before a release sent after it could be here, and never later than 1.5 s after it came.
  var holdOver: Moment {
    guard let began = happenedAt?.lowerBound else { return arrivedAt + PressTimes.hold }
    let (age, overflow) = arrivedAt.instant.subtractingReportingOverflow(began)
    guard !overflow, age > 0, age < PressTimes.hold.microseconds else {
      return arrivedAt + (overflow || age <= 0 ? PressTimes.hold : PressTimes.patience)
    }
    return arrivedAt + max(PressTimes.patience, PressTimes.hold - .microseconds(age))
  }
}

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
