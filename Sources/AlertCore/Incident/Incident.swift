import FobBase
public import WireProtocol

/// One emergency from its first press to its end.
public struct Incident: Equatable, Sendable {
  /// The same over restarts, and in all of its messages.
  public let id: IncidentID
  var phase: Phase
  /// When the core took in what opened it, which may be long after the press was made.
  public let openedAt: Timestamp
  /// Raised by a bench device: no live notification channel may serve it.
  public let isBench: Bool
  /// Raised by a keychain that no account has, or while nobody was logged in: nobody is told, and
  /// an administrator ends it (G5).
  public internal(set) var isUnclaimed = false
  /// The trigger that raised it; nil: a press did.
  public let trigger: Trigger.Source?
  /// The check-in of this core whose silence raised it; nil: something else did.
  public internal(set) var question: UnansweredCheckIn?
  /// What the person has said of it (R52, R53); nil: nothing.
  public internal(set) var survey: Survey?
  /// Ids of its later presses. An earlier run that lost the first press before its commit may have
  /// told people of it by one of these. A closing message carries them.
  public internal(set) var aliases: [IncidentID] = []
  /// The device that was pressed last: its position is told.
  public internal(set) var device: UInt64
  /// The first `Limits.incidentPresses`, and the first of each further keychain, in the order in
  /// which they were listed.
  public internal(set) var presses: [PressEntry] = []
  /// Presses beyond the limit, counted only.
  public internal(set) var furtherPresses = 0
  /// When the last further press that raises again came; nil: there was none.
  public internal(set) var lastPressAt: Timestamp?
  /// Keychains may sound. Silence, quit and the end switch it off, a further press switches it on.
  public internal(set) var sounder = true
  /// Contacts who have acknowledged. A further press clears this (G18).
  public internal(set) var acknowledgedBy: [ContactID] = []
  /// The person has quit: the survey is to be shown, and the emergency goes on.
  public internal(set) var surveyOpened = false
  /// Contacts who were, or may have been, told: the closing message goes to them (G4).
  public internal(set) var told: [ContactID] = []
  /// How many messages of kind raise, update and again were decided; each carries its number (G2).
  public internal(set) var messages = 0
  /// When the last message to everyone was decided, closing messages aside; nil: none.
  public internal(set) var lastMessageAt: Timestamp?
  /// The last messages to everyone, closing ones among them, the latest last.
  public internal(set) var messageTimes: [MessageTime] = []
  /// Fresh positions that were taken in, at most one each `Policy.fixEvery`.
  public internal(set) var fixes = 0
  /// When the last of them came.
  public internal(set) var lastFixAt: Timestamp?
  /// The last known position of `device`; nil: none.
  public internal(set) var lastPosition: Position?
  /// How many of the presses that opened it or were told were made out of reach; nil: none.
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

  /// How many presses raised it again: those that mean alarm, of keychains that may.
  public internal(set) var furtherAlarms = 0
  /// They are of more than one keychain.
  public internal(set) var isOfSeveralKeychains = false
  /// A further press has not been told yet: people hear of it `Policy.fleetUpdateEvery` after the
  /// last message.
  public internal(set) var owesUpdate = false {
    didSet { if !owesUpdate { owedDevices = [] } }
  }
  /// While it owes an update: the keychains that have pressed since, up to one more than
  /// `mostOwed`; none where an older version has stored it.
  package internal(set) var owedDevices: [UInt64] = []
  /// How often presses of a keychain have moved to who has claimed it, while this went on; nil:
  /// never.
  public internal(set) var handovers: Int?
  /// Presses that raised it or raised it again, and of which no copy with the proof of their
  /// keychain has come.
  public internal(set) var unprovedAlarms = 0
  /// The update that is owed tells of such presses alone.
  public internal(set) var owesUnproved = false
  /// While it is open: the unclaimed incident whose place it has taken; nil: none.
  package internal(set) var gaveWay: GivenWay?

  /// Some contact has acknowledged, so no further message is due (R37).
  public var isAcknowledged: Bool { !acknowledgedBy.isEmpty }
}

/// The id of an incident, made from the event that opened it. A press that opens it again after a
/// crash gives the same id, and so the same notification keys.
public struct IncidentID: Hashable, Sendable {
  /// The first eight bytes, which INDICATE carries.
  public let wire: UInt64
  let boot: UInt32
  let device: UInt64

  /// - Parameter identity: of the press that opens the incident.
  public init(_ identity: EventIdentity) {
    wire = UInt64(identity.crc) << 32 | UInt64(identity.number.n)
    boot = identity.number.boot
    device = identity.deviceID.rawValue
  }

  /// Equal ids have equal first bytes, which is enough for a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(wire) }
}

extension Incident {
  /// What a message of a kind says of it that goes out now.
  func context(of kind: Notification.Kind) -> Notification.Context {
    var context = Notification.Context()
    context.isUnproved = (kind == .update || trigger == nil) && !presses.isEmpty && isUnproved
    let isCounted = context.isUnproved ? unprovedAlarms > 1 : kind == .update && unprovedAlarms > 0
    context.unprovedPresses = isCounted ? unprovedAlarms : nil
    context.outOfReach = outOfReach
    context.isAcknowledged = isAcknowledged
    if isOfSeveralKeychains {
      let first = trigger == nil ? presses.first?.covers ?? 1 : 0
      context.fleetPresses = first &+ furtherAlarms
    }
    return context
  }
}

extension Incident {
  private static let mostOwed = 16

  /// A further press is not told yet.
  mutating func owe(_ press: HeardEvent) {
    owesUnproved = press.isUnproved && (owesUnproved || !owesUpdate)
    let isKnown = !owesUpdate || !owedDevices.isEmpty
    owesUpdate = true
    let device = press.identity.deviceID.rawValue
    if isKnown, owedDevices.count <= Self.mostOwed, !owedDevices.contains(device) {
      owedDevices.append(device)
    }
  }

  /// The presses of a keychain that are not told yet are told where they have gone.
  mutating func oweNothing(of device: DeviceID) {
    guard (1...Self.mostOwed).contains(owedDevices.count) else { return }
    owedDevices.removeAll { $0 == device.rawValue }
    if owedDevices.isEmpty { (owesUpdate, owesUnproved) = (false, false) }
  }

  /// No press of it is proved: one that is would be enough.
  var isUnproved: Bool { presses.allSatisfy { $0.isProved == false } }
}

/// The phase as single values.
extension Incident {
  /// One of R40's six.
  public var state: EmergencyState { phase.state }
  /// When people are, or were, to be told; nil: it began without a countdown.
  public var countdownEnds: Timestamp? { phase.stage?.countdownEnds }
  /// When the countdown ended and location tracking began (R55, G3); nil: not yet.
  public var trackingSince: Timestamp? { phase.stage?.sending?.since }
  /// When somebody beyond this host first accepted a message (R45); nil: nobody has.
  public var sentAt: Timestamp? { phase.stage?.sentAt }
  /// Nil while it is open, and for an ended one that was salvaged from damage.
  public var endedAt: Timestamp? { phase.end?.at }
  /// Nil wherever `endedAt` is.
  public var endReason: EndReason? { phase.end?.reason }
  /// Events that may prove a later press older than the disarm by PIN; else empty.
  public var seenAtDisarm: [SeenEvent] { phase.end?.seenAtDisarm ?? [] }
}
