import FobBase
import WireProtocol

/// Presses that surely belong together, read from the edges that are known so far, in the order of
/// their numbers. Durations are the keychain's, between edges of one boot, and a click is to be one
/// by the host's clock, too; waiting is the host's.
struct Gesture {
  /// One more than the clicks of the last panic slot: so many raise the alarm.
  static let frantic = Int(PanicSlots.range.upperBound) + 2

  enum Judgement: Equatable {
    case waits(until: Timestamp)
    case means(PressDetector.Meaning, Reason.Cause?)
  }

  private(set) var presses = 0
  private(set) var first: Int
  private(set) var last: Int
  /// The meaning of a press of it is not known yet.
  private(set) var hasOpenPress = false
  /// Edges are missing beside it that may belong to it.
  var isDoubtful: Bool
  private var hasAlarmed = false
  private var wasActedOn = false
  /// Certain, whatever is still to come.
  private var alarm: Reason.Cause?
  /// The end of the hold of the last press, while its release is not known.
  private var holdOver: Timestamp?
  private var lastArrival: Timestamp

  /// - Parameter isDoubtful: edges before the event are missing.
  init(_ event: HeardEvent, at index: Int, isDoubtful: Bool) {
    first = index
    last = index
    lastArrival = event.receivedAt
    self.isDoubtful = isDoubtful
    take(event)
  }

  /// A release without a press, and none is missing: of a button found closed at power-on.
  var isStray: Bool { presses == 0 && !isDoubtful }

  mutating func add(_ event: HeardEvent, at index: Int, after previous: HeardEvent) {
    last = index
    if lastArrival.at < event.receivedAt.at { lastArrival = event.receivedAt }
    let since = event.clock &- previous.clock
    let apart = event.receivedAt.since(previous.receivedAt)
    if event.clock < previous.clock {
      alarm = alarm ?? .other(.clockBackwards)
    } else if previous.isPress, event.isPress {
      alarm = alarm ?? .other(.pressedTwice)
    } else if previous.isPress, since >= PressTimes.click.unsigned {
      alarm = alarm ?? .held(Int64(clamping: since))
    } else if previous.isPress, apart >= PressTimes.click + PressTimes.transit {
      alarm = alarm ?? .lateRelease(apart.microseconds)
    }
    take(event)
  }

  private mutating func take(_ event: HeardEvent) {
    holdOver = event.isPress ? event.holdOver : nil
    guard event.isPress else { return }
    presses += 1
    if event.meaning == .open { hasOpenPress = true }
    if event.meaning == .alarm { hasAlarmed = true }
    if event.meaning.wasActedOn { wasActedOn = true }
    alarm = alarm ?? event.alarmsByItself.map { .other($0) }
  }

  /// What it means by now, or until when to wait.
  /// - Parameters:
  ///   - isHearingLost: the line went down, or the core was started again, since the last event.
  ///   - isRecent: not over 10 s old, as far as is known.
  func judgement(
    _ slots: PanicSlots, isReachabilityLost: Bool, at now: Timestamp, isRecent: () -> Bool
  ) -> Judgement {
    guard hasOpenPress else { return .means(.noted, nil) }
    if hasAlarmed { return .means(.alarm, .other(.raised)) }
    if let alarm { return .means(.alarm, alarm) }
    if presses >= Self.frantic { return .means(.alarm, .clicks(presses)) }
    if presses >= 2, wasActedOn || !slots.canBeMeant(byAtLeast: presses) {
      return .means(.alarm, wasActedOn ? .other(.moreClicks) : .clicks(presses))
    }
    if let holdOver {
      guard holdOver.at <= now.at else { return .waits(until: holdOver) }
      return .means(.alarm, .other(.noRelease))
    }
    let closes = lastArrival + PressTimes.patience
    guard closes.at <= now.at else { return .waits(until: closes) }
    if isDoubtful { return .means(.alarm, .other(.edgesMissing)) }
    if wasActedOn { return .means(.alarm, .other(.moreClicks)) }
    if isReachabilityLost { return .means(.alarm, .other(.endUnheard)) }
    let slot = UInt8(presses - 1)
    guard slot == 0 || slots.contains(slot) else { return .means(.alarm, .clicks(presses)) }
    guard isRecent() else { return .means(.noted, .lateClicks(presses)) }
    return .means(slot == 0 ? .acknowledge : .slot(slot), .clicks(presses))
  }
}

extension Gesture {
  /// How an edge stands to the edge known before it.
  enum Joint { case apart, doubtful, joined }

  /// - Parameter missing: numbers between both that are not known. Edges come in pairs: one number
  ///   missing between a press and a release is no edge.
  static func joint(_ previous: HeardEvent, _ event: HeardEvent, missing: Int) -> Joint {
    guard event.clock >= previous.clock else { return .joined }
    let apart = event.clock - previous.clock
    switch (previous.isPress, event.isPress) {
    case (true, false): return missing < 2 ? .joined : .doubtful
    case (true, true): return missing == 0 ? .joined : .doubtful
    case (false, true):
      if apart <= PressTimes.gap.unsigned { return missing < 2 ? .joined : .doubtful }
      // Clicks that are missing may bridge it.
      let bridges = UInt64(min(missing / 2, frantic))
      let most = (bridges + 1) * PressTimes.gap.unsigned + bridges * PressTimes.click.unsigned
      return bridges > 0 && apart <= most ? .doubtful : .apart
    case (false, false):
      let most = PressTimes.gap.unsigned + PressTimes.click.unsigned
      return missing > 0 && apart <= most ? .doubtful : .apart
    }
  }
}

extension HeardEvent {
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

  /// When a press whose release has not come is taken for a hold: 1.5 s after it began, but not
  /// before a release sent after it could be here, and never later than 1.5 s after it came.
  var holdOver: Timestamp {
    guard let began = happenedAt?.lowerBound else { return receivedAt + PressTimes.hold }
    let (age, overflow) = receivedAt.instant.subtractingReportingOverflow(began)
    guard !overflow, age > 0, age < PressTimes.hold.microseconds else {
      return receivedAt + (overflow || age <= 0 ? PressTimes.hold : PressTimes.patience)
    }
    return receivedAt + max(PressTimes.patience, PressTimes.hold - .microseconds(age))
  }
}
