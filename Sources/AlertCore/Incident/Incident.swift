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
  /// What the person has said of it (R52, R53); nil: nothing.
  public internal(set) var survey: Survey?
  /// Ids of its later presses. An earlier run that lost the first press before its commit may have
  /// told people of it by one of these. A closing message carries them.
  public internal(set) var aliases: [IncidentID] = []
  /// The device that was pressed last: its position is told.
  public internal(set) var device: UInt64
  /// The first `Limits.incidentPresses`, in the order in which they came.
  public internal(set) var presses: [PressEntry] = []
  /// Presses beyond the limit, counted only.
  public internal(set) var furtherPresses = 0
  /// When the last further press that raises again came; nil: there was none.
  public internal(set) var lastPressAt: Timestamp?
  /// Keychains may sound. Silence, quit and the end switch it off, a further press switches it on.
  public internal(set) var sounder = true
  /// Contacts who have it in hand. A further press clears this (G18).
  public internal(set) var acknowledgedBy: [ContactID] = []
  /// The person has quit: the survey is to be shown, and the emergency goes on.
  public internal(set) var surveyOpened = false
  /// Contacts who were, or may have been, told: the closing message goes to them (G4).
  public internal(set) var told: [ContactID] = []
  /// How many messages of kind raise, update and again were decided; each carries its number (G2).
  public internal(set) var messages = 0
  /// When the last message to everyone was decided, closing messages aside; nil: none.
  public internal(set) var lastMessageAt: Timestamp?
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

  /// Some contact has it in hand, so no further message is due (R37).
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

/// The lists that grow with the presses, stored apart from the rest: written whole at each press,
/// they would cost more and more.
extension Incident {
  /// The incident without these lists.
  package var withoutLists: Incident {
    var incident = self
    incident.presses = []
    incident.aliases = []
    return incident
  }

  /// Puts the lists back. Entries are only ever added, in order.
  package mutating func append(presses: [PressEntry], aliases: [IncidentID]) {
    self.presses += presses
    self.aliases += aliases
  }
}

/// All transitions between the phases.
extension Incident {
  /// The countdown is over, or somebody pressed again: people are told from now on.
  mutating func beginSending(at now: Timestamp) -> Transition? {
    guard case .open(.countdown(let ends)) = phase else { return nil }
    return enter(.open(.sending(Stage.Sending(countdownEnds: ends, since: now))))
  }

  mutating func fail() -> Transition? {
    guard case .open(.sending(let sending)) = phase else { return nil }
    return enter(.open(.failed(sending)))
  }

  mutating func accept(at now: Timestamp) -> Transition? {
    switch phase {
    case .open(.sending(let sending)), .open(.failed(let sending)):
      enter(.open(.sent(sending, at: now)))
    case .open(.countdown), .open(.sent), .ended: nil
    }
  }

  /// - Parameter seen: at a disarm by PIN, see `End`.
  mutating func end(
    _ reason: EndReason, seen: [SeenEvent] = [], at now: Timestamp
  ) -> Transition? {
    guard case .open(var stage) = phase else { return nil }
    if case .failed(let sending) = stage { stage = .sending(sending) }
    sounder = false
    return enter(.ended(End(stage: stage, reason: reason, at: now, seenAtDisarm: seen)))
  }

  /// A person resumes, or a new press opens the next incident.
  mutating func leave() -> Transition? {
    guard case .ended(var end) = phase, !end.isLeft else { return nil }
    end.isLeft = true
    return enter(.ended(end))
  }

  private mutating func enter(_ next: Phase) -> Transition {
    let from = phase.state
    phase = next
    return Transition(from: from, to: next.state)
  }
}

/// Brings an incident of an earlier run into the terms of this run.
extension Incident {
  /// Larger counts come from damage: they are cut to this.
  static let countLimit = 1 << 31

  mutating func limitCounts() {
    func limited(_ count: Int) -> Int { min(max(count, 0), Self.countLimit) }
    messages = limited(messages)
    fixes = limited(fixes)
    furtherPresses = limited(furtherPresses)
  }

  mutating func rebase(to now: Timestamp) {
    limitCounts()
    guard case .open(let stage) = phase else { return }
    var clockWentBack = false
    func moved(_ timestamp: Timestamp) -> Timestamp {
      let (moved, wentBack) = timestamp.rebased(to: now)
      clockWentBack = clockWentBack || wentBack
      return moved
    }
    lastPressAt = lastPressAt.map(moved)
    lastMessageAt = lastMessageAt.map(moved)
    lastFixAt = lastFixAt.map(moved)
    var rebased = stage
    if case .countdown(let ends) = stage {
      // The end lies ahead, so its beginning is moved instead.
      if ends.boot != now.boot {
        rebased = .countdown(ends: moved(openedAt) + .microseconds(ends.wall &- openedAt.wall))
      }
    } else {
      rebased = stage.rebased(moved)
    }
    phase = .open(clockWentBack ? stage.rebased { _ in now } : rebased)
  }
}

/// An event that came before a disarm, of a keychain that had been out of reach. An older version
/// stored it without the last three fields; then it proves nothing.
public struct SeenEvent: Codable, Equatable, Sendable {
  /// `DeviceID.rawValue`.
  public let device: UInt64
  /// `EventNumber.rawValue`: boot counter and number together.
  public let number: UInt64
  /// Random in each boot of a keychain that is well.
  public let bootNonce: UInt32
  /// Device clock, µs since its boot.
  public let clock: UInt64?
  /// When it came to the core.
  public let receivedAt: Timestamp?
  /// When the outage began in which presses may have been missed.
  public let missedSince: Timestamp?

  /// - Parameter clock: µs since the keychain's boot.
  package init(
    device: UInt64, number: UInt64, bootNonce: UInt32, clock: UInt64? = nil,
    receivedAt: Timestamp? = nil, missedSince: Timestamp? = nil
  ) {
    self.device = device
    self.number = number
    self.bootNonce = bootNonce
    self.clock = clock
    self.receivedAt = receivedAt
    self.missedSince = missedSince
  }
}

/// The stored form is flat: the phase by its name, with its own times and those of the phases
/// before.
extension Incident: Codable {
  private enum Key: String, CodingKey {
    case id, state, openedAt, isBench, isUnowned, trigger, survey, aliases, device, presses
    case furtherPresses, countdownEnds, trackingSince, sentAt, lastPressAt, endedAt, endReason
    case sounder, acknowledgedBy, surveyOpened, told, messages, lastMessageAt
    case fixes, lastFixAt, lastPosition, outOfReach, seenAtDisarm
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    id = try values.decode(IncidentID.self, forKey: .id)
    openedAt = try values.decode(Timestamp.self, forKey: .openedAt)
    phase = try Self.phase(values, openedAt: openedAt)
    isBench = try values.decode(Bool.self, forKey: .isBench)
    isUnclaimed = try values.decodeIfPresent(Bool.self, forKey: .isUnowned) ?? false
    trigger = try values.decodeIfPresent(Trigger.Source.self, forKey: .trigger)
    survey = try values.decodeIfPresent(Survey.self, forKey: .survey)
    aliases = try values.decode([IncidentID].self, forKey: .aliases)
    device = try values.decode(UInt64.self, forKey: .device)
    presses = try values.decode([PressEntry].self, forKey: .presses)
    furtherPresses = try values.decode(Int.self, forKey: .furtherPresses)
    lastPressAt = try values.decodeIfPresent(Timestamp.self, forKey: .lastPressAt)
    sounder = try values.decode(Bool.self, forKey: .sounder)
    acknowledgedBy = try values.decode([ContactID].self, forKey: .acknowledgedBy)
    surveyOpened = try values.decode(Bool.self, forKey: .surveyOpened)
    told = try values.decode([ContactID].self, forKey: .told)
    messages = try values.decode(Int.self, forKey: .messages)
    lastMessageAt = try values.decodeIfPresent(Timestamp.self, forKey: .lastMessageAt)
    fixes = try values.decode(Int.self, forKey: .fixes)
    lastFixAt = try values.decodeIfPresent(Timestamp.self, forKey: .lastFixAt)
    lastPosition = try values.decodeIfPresent(Position.self, forKey: .lastPosition)
    outOfReach = try values.decodeIfPresent(Int.self, forKey: .outOfReach)
  }

  /// A time that is lost by damage becomes the one before it, so that what is due comes early
  /// rather than never.
  private static func phase(
    _ values: KeyedDecodingContainer<Key>, openedAt: Timestamp
  ) throws -> Phase {
    func timestamp(_ key: Key) throws -> Timestamp? {
      try values.decodeIfPresent(Timestamp.self, forKey: key)
    }
    let state = try values.decode(EmergencyState.self, forKey: .state)
    let ends = try timestamp(.countdownEnds)
    let since = try timestamp(.trackingSince)
    let sentAt = try timestamp(.sentAt)
    let sending = Stage.Sending(countdownEnds: ends, since: since ?? openedAt)
    switch state {
    case .alertCountdown: return .open(.countdown(ends: ends ?? openedAt))
    case .emergencySending: return .open(.sending(sending))
    case .emergencySendingFailed: return .open(.failed(sending))
    case .emergencySent: return .open(.sent(sending, at: sentAt ?? sending.since))
    case .emergencyEnded, .noEmergency:
      let stage: Stage? =
        if let sentAt { .sent(sending, at: sentAt) } else if since != nil { .sending(sending) } else
        {
          ends.map { .countdown(ends: $0) }
        }
      return .ended(
        End(
          stage: stage, reason: try values.decodeIfPresent(EndReason.self, forKey: .endReason),
          at: try timestamp(.endedAt),
          seenAtDisarm: try values.decode([SeenEvent].self, forKey: .seenAtDisarm),
          isLeft: state == .noEmergency))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(id, forKey: .id)
    try values.encode(state, forKey: .state)
    try values.encode(openedAt, forKey: .openedAt)
    try values.encode(isBench, forKey: .isBench)
    if isUnclaimed { try values.encode(true, forKey: .isUnowned) }
    try values.encodeIfPresent(trigger, forKey: .trigger)
    try values.encodeIfPresent(survey, forKey: .survey)
    try values.encode(aliases, forKey: .aliases)
    try values.encode(device, forKey: .device)
    try values.encode(presses, forKey: .presses)
    try values.encode(furtherPresses, forKey: .furtherPresses)
    try values.encodeIfPresent(countdownEnds, forKey: .countdownEnds)
    try values.encodeIfPresent(trackingSince, forKey: .trackingSince)
    try values.encodeIfPresent(sentAt, forKey: .sentAt)
    try values.encodeIfPresent(lastPressAt, forKey: .lastPressAt)
    try values.encodeIfPresent(endedAt, forKey: .endedAt)
    try values.encodeIfPresent(endReason, forKey: .endReason)
    try values.encode(sounder, forKey: .sounder)
    try values.encode(acknowledgedBy, forKey: .acknowledgedBy)
    try values.encode(surveyOpened, forKey: .surveyOpened)
    try values.encode(told, forKey: .told)
    try values.encode(messages, forKey: .messages)
    try values.encodeIfPresent(lastMessageAt, forKey: .lastMessageAt)
    try values.encode(fixes, forKey: .fixes)
    try values.encodeIfPresent(lastFixAt, forKey: .lastFixAt)
    try values.encodeIfPresent(lastPosition, forKey: .lastPosition)
    try values.encodeIfPresent(outOfReach, forKey: .outOfReach)
    try values.encode(seenAtDisarm, forKey: .seenAtDisarm)
  }
}
