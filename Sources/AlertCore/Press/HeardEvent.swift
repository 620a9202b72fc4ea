import FobBase
public import WireProtocol

/// One event of a keychain, from its arrival to its row: "exactly one entry in the core that it
/// reaches".
public struct HeardEvent: Equatable, Sendable {
  /// As the keychain sent it; of a bare press only the identity.
  public let record: EventRecord
  /// Only the frozen part could be read.
  let isBare: Bool
  /// When it came to this core.
  public let receivedAt: Timestamp
  /// The first edge on the host's clock, µs, as a range that surely holds it; nil where no fit was
  /// known.
  let happenedAt: ClosedRange<Int64>?
  /// Of an edge `.open` until the detector has settled it; of all else `.noted`.
  public internal(set) var meaning: PressDetector.Meaning
  /// The incident that it became an entry of.
  public internal(set) var incident: IncidentID?
  /// A press that was made while the keychain could not be heard, and not just now.
  var isOutOfReach = false
  /// The clock of its boot has contradicted itself or the host's.
  var isClockDoubted = false

  init(
    _ record: EventRecord, isBare: Bool = false, at now: Timestamp, happenedAt: ClosedRange<Int64>?,
    meaning: PressDetector.Meaning? = nil, of incident: IncidentID? = nil
  ) {
    self.record = record
    self.isBare = isBare
    receivedAt = now
    self.happenedAt = happenedAt
    self.meaning = meaning ?? .noted
    self.incident = incident
    if meaning == nil, isEdge { self.meaning = .open }
  }

  /// The middle of `happenedAt`.
  public var happened: Int64? {
    happenedAt.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) / 2 }
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

  /// Whether a run of the core before this one may have heard it, and told people.
  func isOlder(than run: Timestamp) -> Bool {
    happenedAt.map { $0.lowerBound < run.instant } ?? true
  }
}

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

    /// - Returns: nil for a text that `rawValue` never gives.
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

    /// "open", "alarm", "acknowledge", "noted", or "slot 1" to "slot 5".
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
    var cause: Reason.Cause?
    /// Whose meaning was open, in the order of their numbers.
    let events: [HeardEvent]
    /// No edge of the gesture could be placed on the host's clock.
    var isAgeUnknown = false

    var presses: [HeardEvent] { events.filter(\.isPress) }
  }
}
