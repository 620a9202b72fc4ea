import FobBase
import WireProtocol

/// Presses that surely belong together, read from the edges known so far, in the order of their
/// numbers. Durations are the keychain's, between edges of one boot; a click must be one by the
/// host's clock as well. Waiting is by the host's clock.
struct Gesture {
  /// So many clicks raise the alarm: one more than the last panic slot has.
  static let frantic = Int(PanicSlots.range.upperBound) + 2

  enum Judgement: Equatable {
    case waits(until: Timestamp)
    case means(PressDetector.Meaning, Reason.Cause?)
  }

  private(set) var presses = 0
  private(set) var first: Int
  private(set) var last: Int
  /// The meaning of one of its presses is not known yet.
  private(set) var hasOpenPress = false
  /// Edges that may belong to it are missing.
  var isDoubtful: Bool
  private var hasAlarmed = false
  private var wasActedOn = false
  /// Why it surely is an alarm, whatever edges still come; nil: it is not sure yet.
  private var alarm: Reason.Cause?
  /// When the last press counts as a hold, while its release is not known.
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

  /// A release without a press although no edge is missing: the button was closed at power-on.
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

  /// The meaning by now, or until when to wait.
  /// - Parameters:
  ///   - isReachabilityLost: the line went down or the core was restarted since the last event.
  ///   - isRecent: whether it is not over 10 s old, as far as is known.
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
  /// How an edge relates to the known edge before it.
  enum Joint { case apart, doubtful, joined }

  /// Whether an edge belongs to the gesture of the one before it.
  /// - Parameter missing: how many numbers between both are not known. Edges come in pairs, so a
  ///   single number missing between a press and a release is no edge.
  static func joint(_ previous: HeardEvent, _ event: HeardEvent, missing: Int) -> Joint {
    guard event.clock >= previous.clock else { return .joined }
    let apart = event.clock - previous.clock
    switch (previous.isPress, event.isPress) {
    case (true, false): return missing < 2 ? .joined : .doubtful
    case (true, true): return missing == 0 ? .joined : .doubtful
    case (false, true):
      if apart <= PressTimes.gap.unsigned { return missing < 2 ? .joined : .doubtful }
      // Missing clicks may lie in between.
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
  /// Why a press alone is an alarm: nobody can know how long it was held, or for how many it
  /// stands.
  var alarmsByItself: Reason.Oddity? {
    guard isPress else { return nil }
    if isBare { return .unreadable }
    if isClockDoubted { return .clockDoubted }
    if record.flags.contains(.atBoot) { return .heldAtBoot }
    if record.flags.contains(.merged) { return .merged }
    return nil
  }

  /// When a press without a release counts as a hold: 1.5 s after it began, but not before a
  /// release sent after it could be here, and never later than 1.5 s after it came.
  var holdOver: Timestamp {
    guard let began = happenedAt?.lowerBound else { return receivedAt + PressTimes.hold }
    let (age, overflow) = receivedAt.instant.subtractingReportingOverflow(began)
    guard !overflow, age > 0, age < PressTimes.hold.microseconds else {
      return receivedAt + (overflow || age <= 0 ? PressTimes.hold : PressTimes.patience)
    }
    return receivedAt + max(PressTimes.patience, PressTimes.hold - .microseconds(age))
  }
}

/// The times of profile `guarded` (PROTOCOL.md, Presses).
enum PressTimes {
  /// A click is shorter than this; a press held as long is an alarm.
  static let click = Interval.milliseconds(500)
  /// The longest pause between clicks of one gesture.
  static let gap = Interval.milliseconds(400)
  /// A press held as long raises the alarm before its release has come.
  static let hold = Interval.milliseconds(1_500)
  /// How much the way to the host may add between two edges: debouncing and one resend.
  static let transit = Interval.milliseconds(150)
  /// How long the host waits for an edge that may be on its way: a gap, debouncing (50 ms at most)
  /// and one resend (after 100 ms).
  static let patience = Interval.milliseconds(600)
  /// The greatest age at which a meaning other than alarm is acted on.
  static let oldest = Interval.seconds(10)
  /// How far stamps and arrivals may be apart while all is well: debouncing, and frames that wait
  /// for each other at 9,600 baud.
  static let exact = Interval.milliseconds(250)
  /// The longest loss that nobody notices: a line counts as lost after 3 s of silence, and a bridge
  /// on another host after 10 s.
  static let unnoticed = Interval.seconds(10)
  /// How long after an outage its events still come: see `Outage.isCurrent`.
  static let madeUp = Interval.seconds(10)
  /// The greatest age of the stamp that others are compared with, so that drift excuses no more
  /// than the line does.
  static let anchored = Interval.microseconds(unnoticed.microseconds * 1_000)

  /// How far a stamp may be off that came so long after another, µs: clocks drift apart by at most
  /// 1000 ppm (PROTOCOL.md, Time).
  static func unnoticed(over microseconds: Int64) -> Int64 {
    unnoticed.microseconds + Int64(clamping: microseconds.magnitude / 1_000)
  }
}

extension Interval {
  /// The interval as a difference of the keychain's clock, µs; negative becomes 0.
  var unsigned: UInt64 { UInt64(max(0, microseconds)) }
}

/// How the edges of a button become meaning (PROTOCOL.md, Presses).
public enum PressProfile: Equatable, Sendable {
  /// Each pressed event raises the alarm, whatever its age; a release means nothing. The default
  /// (S0: pressing the button raises the alarm).
  case literal
  /// Reads clicks and holds; presses that cannot be decoded raise the alarm. Clicks ask for the
  /// account's complete slots, and for these, whether they are complete or not.
  case guarded(PanicSlots)

  /// As commands and the status say it.
  public var name: String {
    switch self {
    case .literal: "literal"
    case .guarded: "guarded"
    }
  }
}

/// The panic slots (R62) that clicks may ask for: slot n by n + 1 clicks. Clicks for any other slot
/// raise the alarm (R65), so nothing can be asked for until it is configured.
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

  /// Whether so many clicks or more can still ask for a slot.
  func canBeMeant(byAtLeast clicks: Int) -> Bool {
    guard clicks <= Int(Self.range.upperBound) + 1 else { return false }
    return rawValue >> max(0, clicks - 2) != 0
  }
}
