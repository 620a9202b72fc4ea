import FobBase
public import WireProtocol

/// One event of a keychain, from its arrival to its row ("exactly one entry in the core that it
/// reaches").
public struct HeardEvent: Equatable, Sendable {
  /// The record as sent; a bare press has only the identity.
  public internal(set) var record: EventRecord
  /// Only the frozen part of the record could be read.
  let isBare: Bool
  /// Whether it came with the proof that it is of the keychain that it names; nil where that
  /// is not paired.
  let isProved: Bool?
  /// When it came to this core.
  public let receivedAt: Timestamp
  /// When the first edge was on the host's clock, µs, as a range that surely holds it; nil where no
  /// fit was known.
  let happenedAt: ClosedRange<Int64>?
  /// `.open` for an edge that the detector has not settled; `.noted` for all other events.
  public internal(set) var meaning: PressDetector.Meaning
  /// The incident that it became an entry of.
  public internal(set) var incident: IncidentID?
  /// A press that was made while the keychain was out of reach, and not just now.
  var isOutOfReach = false
  /// The clock of its boot has contradicted itself or the host's.
  var isClockDoubted = false

  init(
    _ record: EventRecord, isBare: Bool = false, isProved: Bool? = nil, at now: Timestamp,
    happenedAt: ClosedRange<Int64>?,
    meaning: PressDetector.Meaning? = nil, of incident: IncidentID? = nil
  ) {
    self.record = record
    self.isBare = isBare
    self.isProved = isProved
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
  /// When the first edge was, µs since the keychain's boot.
  var clock: UInt64 { identity.clock }
  var isPress: Bool { identity.kind == .pressed }
  var isRelease: Bool { identity.kind == .released }
  var isEdge: Bool { isPress || isRelease }
  /// It came in the name of a paired keychain, without proof.
  var isUnproved: Bool { isProved == false }
  /// How many presses it stands for.
  var covers: Int { max(1, Int(record.covered)) }

  /// Whether an earlier run of the core may have heard it and told people.
  func precedes(_ run: Timestamp) -> Bool { happenedAt.map { $0.lowerBound < run.instant } ?? true }
}

extension PressDetector {
  /// The meaning of an event, as stored.
  public enum Meaning: RawRepresentable, Hashable, Codable, Sendable {
    /// Not known yet. The event is stored, committed and acked like any other.
    case open
    case alarm
    /// One click: silences the sounder of an open alarm.
    case acknowledge
    /// One click: it answered a check-in.
    case checkIn
    /// One click: stopped breathing, or counted one item of grounding.
    case exercise
    /// One click: started breathing.
    case breathing
    /// Asks for a panic slot, 1 to 5.
    case slot(UInt8)
    /// Recorded, not acted on.
    case noted

    /// - Returns: nil for a text that `rawValue` never gives.
    public init?(rawValue: String) {
      switch rawValue {
      case "open": self = .open
      case "alarm": self = .alarm
      case "acknowledge": self = .acknowledge
      case "checkIn": self = .checkIn
      case "exercise": self = .exercise
      case "breathing": self = .breathing
      case "noted": self = .noted
      default:
        guard rawValue.hasPrefix("slot "), let slot = UInt8(rawValue.dropFirst(5)),
          PanicSlots.range.contains(slot)
        else { return nil }
        self = .slot(slot)
      }
    }

    /// "open", "alarm", "acknowledge", "checkIn", "exercise", "breathing", "noted", or "slot 1" to
    /// "slot 5".
    public var rawValue: String {
      switch self {
      case .open: "open"
      case .alarm: "alarm"
      case .acknowledge: "acknowledge"
      case .checkIn: "checkIn"
      case .exercise: "exercise"
      case .breathing: "breathing"
      case .slot(let slot): "slot \(slot)"
      case .noted: "noted"
      }
    }

    /// It was acted on in a way that cannot be taken back.
    var wasActedOn: Bool {
      switch self {
      case .acknowledge, .checkIn, .exercise, .breathing, .slot: true
      case .open, .alarm, .noted: false
      }
    }
  }

  /// A meaning that became known, for one gesture or for the part of it that was still open.
  struct Verdict: Sendable {
    let meaning: Meaning
    /// Why it means that, for the log.
    var cause: Reason.Cause?
    /// The events that were open, in the order of their numbers.
    let events: [HeardEvent]
    /// No edge of the gesture could be placed on the host's clock.
    var isAgeUnknown = false

    var presses: [HeardEvent] { events.filter(\.isPress) }
  }
}
