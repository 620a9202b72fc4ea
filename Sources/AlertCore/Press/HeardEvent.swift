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
