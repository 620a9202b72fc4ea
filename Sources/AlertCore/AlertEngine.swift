import FobBase
import WireProtocol

/// Carries one emergency from its first press to its end (R40 to R55): the states, the timers, the
/// messages. It decides; it never asks whether anything is durable or was delivered by itself.
struct AlertEngine: Sendable {
  private(set) var account: Account
  /// Told beside the contacts; no persons.
  let channels: [Contact]
  /// Sinks that reach a contact, as the configuration has it.
  var ways: [ContactID: [String]] = [:]
  let policy: Policy
  var incident: Incident?
  var lastDisarmed: Incident?
  let startedAt: Moment
  var seen: [DeviceID: SeenEvent] = [:]
  var positions: [DeviceID: Position] = [:]
  /// The incident is not as it was when the turn began: it is written once, at the turn's end.
  var isChanged = false

  /// Of triggers that were taken, the newest last.
  var seenTriggers: [IncidentID] = []
  /// The keychains of the account; nil: every one.
  private var owned: Set<DeviceID>?

  init(_ account: Account, channels: [Contact] = [], _ policy: Policy, at now: Moment) {
    self.account = account
    self.channels = channels
    self.policy = policy
    startedAt = now
    learnDevices()
  }

  mutating func set(_ account: Account) {
    self.account = account
    learnDevices()
  }

  private mutating func learnDevices() {
    owned = account.isActive ? account.devices.map { Set($0.compactMap(DeviceID.init(text:))) } : []
  }

  var ownsAll: Bool { owned == nil }

  /// Its presses raise the account's alarm (R4, R20).
  func owns(_ device: DeviceID) -> Bool { owned?.contains(device) ?? true }

  /// An emergency that shuts everything else off (R36); one of nobody's shuts off nothing.
  var isLocked: Bool { state.isOpen && incident!.isUnowned != true }

  /// Contacts that no way out can reach.
  var unreachable: [ContactID] { account.contacts.map(\.id).filter { ways[$0]?.isEmpty == true } }

  /// Persons and channels.
  var everyone: [Contact] { channels.isEmpty ? account.contacts : account.contacts + channels }

  /// Who is told of the incident: of one that belongs to nobody, nobody (G5).
  var recipients: [Contact] { incident!.isUnowned == true ? [] : everyone }

  var state: EmergencyState { incident?.state ?? .noEmergency }

  /// Adds the incident to what is to become durable, if this turn has changed it.
  mutating func save(_ turn: inout Turn) {
    guard isChanged else { return }
    isChanged = false
    turn.changed(incident!)
  }

  mutating func recover(_ stored: StoredState, at now: Moment) {
    incident = stored.current
    incident?.rebase(to: now)
    lastDisarmed = stored.lastDisarmed
    for identity in stored.identities { noteSeen(identity) }
    seenTriggers = stored.triggers
    guard let incident, state.isOpen else { return }
    positions[DeviceID(rawValue: incident.device)] = incident.lastPosition
    // What the earlier run has told since its last commit nobody knows.
    countAllAsTold()
  }

  // MARK: Presses

  /// A press that means alarm.
  /// - Parameter isFurther: of a gesture whose first press has just raised: an entry, not news.
  /// - Returns: the incident that it became an entry of.
  mutating func press(
    _ press: HeardEvent, isAgeUnknown: Bool = false, isFurther: Bool = false, at now: Moment,
    _ turn: inout Turn
  ) -> IncidentID {
    let identity = press.identity
    learn(press)
    if !state.isOpen, let disarmed = lastDisarmed,
      isEarlier(identity, press.happenedAt, than: disarmed, at: now)
    {
      lastDisarmed!.add(press, isAgeUnknown)
      if press.isOlder(than: startedAt) { closeAgain(identity, at: now, &turn) }
      if incident?.id == disarmed.id { incident = lastDisarmed }
      turn.changed(lastDisarmed!)
      turn.note(Happening(.pressJoined, at: now, of: identity), disarmed.id)
      return disarmed.id
    }
    if state.isOpen, givesWay(to: identity.deviceID) { end(.cancelled, at: now, &turn) }
    guard state.isOpen else { return open(press, isAgeUnknown, at: now, &turn) }
    incident!.add(press, isAgeUnknown)
    noteEarlierRun(press)
    turn.note(Happening(.pressAdded, at: now, of: identity), incident!.id)
    if isFurther {
      incident!.addAlias(IncidentID(identity))
    } else if mayTouch(identity) {
      pressedAgain(identity, at: now, &turn)
    }
    isChanged = true
    return incident!.id
  }

  /// A press that means no alarm: an entry of the incident that is open.
  /// - Parameter silences: its sounder, as the verb does; the emergency goes on.
  /// - Returns: the incident; nil where none is open.
  mutating func enter(
    _ press: HeardEvent, isAgeUnknown: Bool, silences: Bool, at now: Moment, _ turn: inout Turn
  ) -> IncidentID? {
    learn(press)
    guard state.isOpen else { return nil }
    incident!.add(press, isAgeUnknown)
    noteEarlierRun(press)
    if press.isOlder(than: startedAt) { incident!.addAlias(IncidentID(press.identity)) }
    turn.note(Happening(.pressAdded, at: now, of: press.identity), incident!.id)
    if silences, mayTouch(press.identity) {
      incident!.sounder = false
      turn.note(Happening(.silenced, at: now, detail: "by one click"), incident!.id)
    }
    isChanged = true
    return incident!.id
  }

  /// A bench incident would keep a live press from every live way out, and one of nobody's would
  /// keep the owner's from everyone; but bench traffic ends no live one.
  func givesWay(to device: DeviceID) -> Bool {
    guard incident!.isBench == device.isBench else { return incident!.isBench }
    return incident!.belongsToNobody && owns(device)
  }

  /// Neither bench traffic nor a keychain of nobody's can page a person or quieten an alarm that is
  /// none of its own.
  func mayTouch(_ identity: EventIdentity) -> Bool {
    (incident!.isBench || !identity.deviceID.isBench)
      && (incident!.isUnowned == true || owns(identity.deviceID))
  }

  mutating func pressedAgain(
    _ identity: EventIdentity, at now: Moment, _ turn: inout Turn
  ) {
    incident!.device = identity.deviceID.rawValue
    incident!.lastPosition = positions[identity.deviceID] ?? incident!.lastPosition
    incident!.lastPressAt = now
    incident!.sounder = true
    incident!.addAlias(IncidentID(identity))
    if state == .alertCountdown {
      beginSending(at: now, &turn)
    } else {
      incident!.acknowledgedBy = []
      tellEveryone(.update, at: now, &turn)
    }
  }

  /// Keeps the position that a press carries, unless a newer one is known.
  mutating func learn(_ press: HeardEvent) {
    let device = press.identity.deviceID
    guard let position = Position(press.record.position, press.happenedAt, at: press.arrivedAt)
    else { return }
    if let known = positions[device] {
      if press.happenedAt == nil, press.record.flags.contains(.replayed) { return }
      if known.wall > position.wall { return }
    }
    positions[device] = position
  }

  mutating func noteSeen(_ identity: EventIdentity) {
    let event = SeenEvent(
      device: identity.deviceID.rawValue, number: identity.number.rawValue,
      bootNonce: identity.bootNonce)
    guard let index = seen.index(forKey: identity.deviceID) else {
      seen[identity.deviceID] = event
      return
    }
    let last = seen.values[index]
    if last.bootNonce == event.bootNonce, last.number >= event.number { return }
    seen.values[index] = event
  }

  mutating func open(
    _ press: HeardEvent, _ isAgeUnknown: Bool, at now: Moment, _ turn: inout Turn
  ) -> IncidentID {
    if state == .emergencyEnded { leave(by: nil, at: now, &turn) }
    incident = Incident(press.identity, at: now)
    incident!.belongsToNobody = !owns(press.identity.deviceID)
    incident!.add(press, isAgeUnknown)
    noteEarlierRun(press)
    incident!.lastPosition = positions[press.identity.deviceID]
    turn.note(Happening(.incidentOpened, at: now, of: press.identity), incident!.id)
    if policy.buttonCountdown > .zero, !incident!.belongsToNobody {
      incident!.countdownEnds = now + policy.buttonCountdown
      become(.alertCountdown, at: now, &turn)
    } else {
      beginSending(at: now, &turn)
    }
    return incident!.id
  }

  /// A keychain looks at its clock each second: a smaller step back goes unseen.
  private static let unseenStep = Interval.seconds(1)

  /// Provably pressed before the disarm: by its number in the same boot, or by the fitted clock.
  func isEarlier(
    _ identity: EventIdentity, _ happenedAt: ClosedRange<Int64>?, than disarmed: Incident,
    at now: Moment
  ) -> Bool {
    let byNumber = disarmed.seenAtDisarm.contains {
      $0.device == identity.deviceID.rawValue && $0.bootNonce == identity.bootNonce
        && identity.number.rawValue < $0.number
    }
    guard !byNumber, let happenedAt, let endedAt = disarmed.endedAt else { return byNumber }
    return endedAt.boot == now.boot
      && happenedAt.upperBound < endedAt.instant - Self.unseenStep.microseconds
  }

  // MARK: Position

  /// A fresh position: kept for the next message, and of the track while an incident is open.
  mutating func located(
    _ device: DeviceID, _ position: Position, at now: Moment, _ turn: inout Turn
  ) {
    positions[device] = position
    guard state.isOpen, incident!.device == device.rawValue, incident!.trackingSince != nil,
      incident!.lastFixAt.map({ now.since($0) >= policy.fixEvery }) ?? true
    else { return }
    incident!.fixes += 1
    incident!.lastFixAt = now
    incident!.lastPosition = position
    if incident!.fixes <= Limits.incidentTrack {
      turn.changes.track.append(TrackPoint(incident: incident!.id, at: now, position: position))
    }
    isChanged = true
  }
}

extension Incident {
  mutating func add(_ press: HeardEvent, _ isAgeUnknown: Bool) {
    let covers = max(1, Int(press.record.covered))
    guard presses.count < Limits.incidentPresses else {
      furtherPresses += covers
      return
    }
    presses.append(
      PressEntry(
        of: press.identity, receivedAt: press.arrivedAt, covers: covers,
        isAgeUnknown: isAgeUnknown ? true : nil))
  }

  mutating func addAlias(_ alias: @autoclosure () -> IncidentID) {
    if aliases.count < Limits.incidentPresses { aliases.append(alias()) }
  }
}
