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

/// How the edges of a button become meaning (protocol, Presses).
public enum PressProfile: Equatable, Sendable {
  /// Any pressed event raises the alarm, whatever its age; a release says nothing. The default
  /// (S0: pressing the button raises the alarm).
  case literal
  /// Clicks and holds; what cannot be decoded raises the alarm.
  case guarded(PanicSlots)
}

/// Which of the five panic slots (R62) clicks may ask for: slot n by n + 1 clicks. Clicks for any
/// other raise the alarm (R65), so nothing is asked for until it is configured.
public struct PanicSlots: Equatable, Sendable {
  /// No clicks ask for anything: the default.
  public static let none = PanicSlots(rawValue: 0)
  /// The numbers of the slots (R62).
  public static let range: ClosedRange<UInt8> = 1...5

  /// Bit n - 1 is slot n.
  public private(set) var rawValue: UInt8

  /// - Parameter rawValue: five bits; further ones are dropped.
  public init(rawValue: UInt8) { self.rawValue = rawValue & 0b1_1111 }

  /// - Returns: nil where a number is no slot.
  public init?(_ numbers: [Int]) {
    self = .none
    for number in numbers {
      guard let number = UInt8(exactly: number), Self.range.contains(number) else { return nil }
      rawValue |= 1 << (number - 1)
    }
  }

  /// False as well for a number outside of `range`.
  public func contains(_ slot: UInt8) -> Bool {
    Self.range.contains(slot) && rawValue & 1 << (slot - 1) != 0
  }

  /// The slots, lowest first.
  public var numbers: [UInt8] { Self.range.filter(contains) }

  /// Whether so many clicks, or more, can still come to mean a slot.
  func canBeMeant(byAtLeast clicks: Int) -> Bool {
    guard clicks <= Int(Self.range.upperBound) + 1 else { return false }
    return rawValue >> max(0, clicks - 2) != 0
  }
}
