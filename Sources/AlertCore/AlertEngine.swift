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
  var age: PressAge
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
    age = PressAge(at: now)
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
    lastDisarmed?.limitCounts()
    age.recover(stored.devices)
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
    if !state.isOpen, let disarmed = lastDisarmed, age.isOlder(press, than: disarmed) {
      setAside(press, isAgeUnknown, at: now, &turn)
      return disarmed.id
    }
    if state.isOpen, givesWay(to: identity.deviceID) { end(.gaveWay, at: now, &turn) }
    guard state.isOpen else { return open(press, isAgeUnknown, at: now, &turn) }
    incident!.add(press, isAgeUnknown)
    noteEarlierRun(press)
    turn.note(
      Happening(
        .pressAdded, at: now, of: identity, press.isOutOfReach ? .words("made out of reach") : nil),
      incident!.id)
    if isFurther {
      incident!.addAlias(IncidentID(identity))
      count(press)
    } else if mayTouch(identity) {
      pressedAgain(press, at: now, &turn)
    }
    isChanged = true
    return incident!.id
  }

  /// It was made before the alarm was switched off: an entry of what is over.
  private mutating func setAside(
    _ press: HeardEvent, _ isAgeUnknown: Bool, at now: Moment, _ turn: inout Turn
  ) {
    lastDisarmed!.add(press, isAgeUnknown, isSetAside: true)
    if press.isOlder(than: startedAt) { closeAgain(press.identity, at: now, &turn) }
    changedDisarmed(&turn)
    turn.note(
      Happening(
        .pressJoined, at: now, of: press.identity,
        detail: "made out of reach, before the alarm was switched off: set aside"),
      lastDisarmed!.id)
  }

  private mutating func changedDisarmed(_ turn: inout Turn) {
    if incident?.id == lastDisarmed!.id { incident = lastDisarmed }
    turn.changed(lastDisarmed!)
  }

  /// What that keychain sends from now on is no older than the last disarm.
  mutating func forgetEvidence(of device: DeviceID, _ turn: inout Turn) {
    guard lastDisarmed?.seenAtDisarm.contains(where: { $0.device == device.rawValue }) == true
    else { return }
    lastDisarmed!.seenAtDisarm.removeAll { $0.device == device.rawValue }
    changedDisarmed(&turn)
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

  /// Of what was made out of reach the first is told at each reconnect, and the others are counted.
  private mutating func pressedAgain(
    _ press: HeardEvent, at now: Moment, _ turn: inout Turn
  ) {
    let identity = press.identity
    incident!.device = identity.deviceID.rawValue
    incident!.lastPosition = positions[identity.deviceID] ?? incident!.lastPosition
    incident!.lastPressAt = now
    incident!.sounder = true
    incident!.addAlias(IncidentID(identity))
    let isTold =
      press.isOutOfReach && incident!.acknowledgedBy.isEmpty
      && age.isTold(identity.deviceID, in: incident!.id)
    count(press)
    if state == .alertCountdown {
      beginSending(at: now, &turn)
    } else if !isTold {
      incident!.acknowledgedBy = []
      tellEveryone(.update, at: now, &turn)
    }
  }

  private mutating func count(_ press: HeardEvent) {
    guard press.isOutOfReach else { return }
    let (sum, overflow) = (incident!.outOfReach ?? 0).addingReportingOverflow(press.covers)
    if !overflow { incident!.outOfReach = sum }
    age.told(press.identity.deviceID, in: incident!.id)
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

  mutating func open(
    _ press: HeardEvent, _ isAgeUnknown: Bool, at now: Moment, _ turn: inout Turn
  ) -> IncidentID {
    if state == .emergencyEnded { leave(by: nil, at: now, &turn) }
    incident = Incident(press.identity, at: now)
    incident!.belongsToNobody = !owns(press.identity.deviceID)
    incident!.add(press, isAgeUnknown)
    noteEarlierRun(press)
    count(press)
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
  mutating func add(_ press: HeardEvent, _ isAgeUnknown: Bool, isSetAside: Bool = false) {
    guard presses.count < Limits.incidentPresses else {
      furtherPresses += press.covers
      return
    }
    presses.append(
      PressEntry(
        of: press.identity, receivedAt: press.arrivedAt, covers: press.covers,
        isAgeUnknown: isAgeUnknown || press.isOutOfReach ? true : nil,
        isSetAside: isSetAside ? true : nil))
  }

  mutating func addAlias(_ alias: @autoclosure () -> IncidentID) {
    if aliases.count < Limits.incidentPresses { aliases.append(alias()) }
  }
}
