import FobBase
public import WireProtocol

/// One emergency from its first press to its end.
public struct Incident: Equatable, Sendable {
  public let id: IncidentID
  var phase: Phase
  public let openedAt: Timestamp
  /// Of a bench device: no live notification channel may serve it.
  public let isBench: Bool
  /// Of a keychain that no account has, or while nobody was logged in: nobody is told, and an
  /// administrator ends it (G5).
  public internal(set) var isUnclaimed = false
  /// What raised it, where it was no press.
  public let trigger: Trigger.Source?
  public internal(set) var survey: Survey?
  /// Names that the incident may have been told by in an earlier run, which lost the press before
  /// its commit: those of its later presses. A closing message carries them.
  public internal(set) var aliases: [IncidentID] = []
  /// Whose position is told: the device pressed last.
  public internal(set) var device: UInt64
  public internal(set) var presses: [PressEntry] = []
  /// Presses that stand for entries beyond the limit.
  public internal(set) var furtherPresses = 0
  /// Of the presses after the first.
  public internal(set) var lastPressAt: Timestamp?
  public internal(set) var sounder = true
  /// Contacts who have it in hand; a further press undoes this (G18).
  public internal(set) var acknowledgedBy: [ContactID] = []
  public internal(set) var surveyOpened = false
  /// Contacts who were, or may have been, told: the closing message goes to them (G4).
  public internal(set) var told: [ContactID] = []
  /// Count of messages of kind raise, update and again; each carries its number (G2).
  public internal(set) var messages = 0
  public internal(set) var lastMessageAt: Timestamp?
  public internal(set) var fixes = 0
  public internal(set) var lastFixAt: Timestamp?
  public internal(set) var lastPosition: Position?
  /// Presses that were made out of reach, of those that it was opened by or told with; nil: none.
  public internal(set) var outOfReach: Int?

  init(
    _ id: IncidentID, of device: DeviceID, _ phase: Phase, trigger: Trigger.Source? = nil,
    at now: Timestamp
  ) {
    self.id = id
    self.phase = phase
    openedAt = now
    isBench = device.isBench
    self.device = device.rawValue
    self.trigger = trigger
  }

  public var isAcknowledged: Bool { !acknowledgedBy.isEmpty }
}

/// The name of an incident, made from the event that opened it: a press that is raised again after
/// a crash gets the same name, and so the same notification keys.
public struct IncidentID: Hashable, Sendable {
  /// The first eight bytes, as INDICATE carries them.
  public let wire: UInt64
  let boot: UInt32
  let device: UInt64

  public init(_ identity: EventIdentity) {
    wire = UInt64(identity.crc) << 32 | UInt64(identity.number.n)
    boot = identity.number.boot
    device = identity.deviceID.rawValue
  }

  /// Equal names have equal first bytes: enough for a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(wire) }
}

/// How it stands, in single words and moments.
extension Incident {
  public var state: EmergencyState { phase.state }
  public var countdownEnds: Timestamp? { phase.stage?.countdownEnds }
  /// The end of the countdown: location tracking begins (R55, G3).
  public var trackingSince: Timestamp? { phase.stage?.sending?.since }
  public var sentAt: Timestamp? { phase.stage?.sentAt }
  public var endedAt: Timestamp? { phase.end?.at }
  public var endReason: EndReason? { phase.end?.reason }
  public var seenAtDisarm: [SeenEvent] { phase.end?.seenAtDisarm ?? [] }
}
