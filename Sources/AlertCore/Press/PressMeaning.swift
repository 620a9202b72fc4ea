extension PressDetector {
  /// What an event means, as it is stored.
  public enum Meaning: RawRepresentable, Hashable, Codable, Sendable {
    /// Not known yet: an entry of the log, committed and acked like any other.
    case open
    case alarm
    /// One click: silences the sounder of an open alarm.
    case acknowledge
    /// A panic slot was asked for, 1 to 5.
    case slot(UInt8)
    /// Recorded, not acted on.
    case noted

    public init?(rawValue: String) {
      switch rawValue {
      case "open": self = .open
      case "alarm": self = .alarm
      case "acknowledge": self = .acknowledge
      case "noted": self = .noted
      default:
        guard rawValue.hasPrefix("slot "), let slot = UInt8(rawValue.dropFirst(5)),
          PanicSlots.range.contains(slot)
        else { return nil }
        self = .slot(slot)
      }
    }

    public var rawValue: String {
      switch self {
      case .open: "open"
      case .alarm: "alarm"
      case .acknowledge: "acknowledge"
      case .slot(let slot): "slot \(slot)"
      case .noted: "noted"
      }
    }

    /// Something was done that cannot be taken back.
    var wasActedOn: Bool {
      switch self {
      case .acknowledge, .slot: true
      case .open, .alarm, .noted: false
      }
    }
  }

  /// What became known: the meaning of one gesture, or of what of it was still open.
  struct Verdict: Sendable {
    let meaning: Meaning
    /// For the log.
    let cause: Reason.Cause?
    /// Whose meaning was open, in the order of their numbers.
    let events: [HeardEvent]
    /// No edge of the gesture could be placed on the host's clock.
    let isAgeUnknown: Bool

    var presses: [HeardEvent] { events.filter(\.isPress) }

    /// Profile `literal`: an edge means alarm where it is a press.
    static func literal(_ event: HeardEvent) -> Verdict {
      Verdict(
        meaning: event.isPress ? .alarm : .noted, cause: nil, events: [event], isAgeUnknown: false)
    }
  }
}
