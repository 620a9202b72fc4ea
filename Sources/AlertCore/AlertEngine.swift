import FobBase
import WireProtocol

/// Carries one emergency from its first press to its end (R40 to R55): the states, the timers, the
/// messages. It decides; it never asks whether anything is durable or was delivered by itself.
///
/// Whoever changes the open incident takes it out of `open` and puts it back, or into `history`.
struct AlertEngine: Sendable {
  private(set) var account: Account
  /// Told beside the contacts; no persons.
  let channels: [Contact]
  /// Sinks that reach a contact, as the configuration has it.
  var ways: [ContactID: [String]] = [:]
  let policy: Policy
  /// Somebody may need help now: presses are entries of this incident.
  var open: Incident?
  var history = IncidentHistory()
  let startedAt: Moment
  var age: PressAge
  var positions: [DeviceID: Position] = [:]
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
  var isLocked: Bool { open?.belongsToNobody == false }

  /// Contacts that no way out can reach.
  var unreachable: [ContactID] { account.contacts.map(\.id).filter { ways[$0]?.isEmpty == true } }

  /// Persons and channels.
  var everyone: [Contact] { channels.isEmpty ? account.contacts : account.contacts + channels }

  /// Who is told of an incident: of one that belongs to nobody, nobody (G5).
  func recipients(of incident: borrowing Incident) -> [Contact] {
    incident.belongsToNobody ? [] : everyone
  }

  /// The one that is open, or has ended and nobody has gone on from it.
  var incident: Incident? { open ?? history.lastEnded }

  var state: EmergencyState {
    open?.phase.state ?? (history.ended == nil ? .noEmergency : .emergencyEnded)
  }

  /// As it is now.
  func incident(_ id: IncidentID) -> Incident? { open?.id == id ? open : history[id] }

  /// Adds to what is to become durable the incidents that this step has changed.
  mutating func write(_ output: inout CoreOutput) {
    for id in output.changedIncidents {
      if let incident = incident(id) { output.changes.put(incident) }
    }
    output.changedIncidents.removeAll(keepingCapacity: true)
    history.forgetOthers()
  }

  mutating func recover(_ stored: StoredState, at now: Moment) {
    history.recover(stored)
    age.recover(stored.devices)
    seenTriggers = stored.triggers
    guard var incident = stored.current, incident.state.isOpen else { return }
    incident.rebase(to: now)
    positions[DeviceID(rawValue: incident.device)] = incident.lastPosition
    // What the earlier run has told since its last commit nobody knows.
    countAllAsTold(&incident)
    open = incident
  }

  // MARK: Presses

  /// A press that means alarm.
  /// - Parameter isFurther: of a gesture whose first press has just raised: an entry, not news.
  /// - Returns: the incident that it became an entry of.
  mutating func press(
    _ press: HeardEvent, isAgeUnknown: Bool = false, isFurther: Bool = false, at now: Moment,
    _ output: inout CoreOutput
  ) -> IncidentID {
    learn(press)
    if open == nil, let disarmed = history.disarmed, isOlder(press, than: disarmed) {
      setAside(press, isAgeUnknown, in: disarmed, at: now, &output)
      return disarmed
    }
    giveWay(to: press.identity.deviceID, at: now, &output)
    guard var incident = open.take() else { return raise(press, isAgeUnknown, at: now, &output) }
    defer { open = incident }
    add(press, isAgeUnknown, to: &incident)
    output.note(
      Happening(
        .pressAdded, at: now, of: press.identity,
        press.isOutOfReach ? .remark(.outOfReach) : nil), incident.id)
    if isFurther {
      incident.addAlias(IncidentID(press.identity))
      count(press, in: &incident)
    } else if mayTouch(press.identity, incident) {
      pressedAgain(press, in: &incident, at: now, &output)
    }
    output.changed(incident.id)
    return incident.id
  }

  private func isOlder(_ press: HeardEvent, than disarmed: IncidentID) -> Bool {
    history[disarmed]?.phase.end.map { age.isOlder(press, than: $0) } ?? false
  }

  /// It was made before the alarm was switched off: an entry of what is over.
  private mutating func setAside(
    _ press: HeardEvent, _ isAgeUnknown: Bool, in disarmed: IncidentID, at now: Moment,
    _ output: inout CoreOutput
  ) {
    let isOfEarlierRun = press.isOlder(than: startedAt)
    let everyone = everyone
    history.change(disarmed, &output) { incident in
      incident.add(press, isAgeUnknown, isSetAside: true)
      guard isOfEarlierRun else { return }
      // An earlier run may have told people of it by its own name.
      incident.addAlias(IncidentID(press.identity))
      incident.told = everyone.map(\.id)
      incident.messages += 1
    }
    if isOfEarlierRun, let incident = history[disarmed] {
      for closing in closings(of: incident, at: now) { output.tell(closing) }
    }
    output.note(
      Happening(.pressJoined, at: now, of: press.identity, .remark(.setAside)), disarmed)
  }

  /// What that keychain sends from now on is no older than the last disarm.
  mutating func forgetEvidence(of device: DeviceID, _ output: inout CoreOutput) {
    guard let disarmed = history.disarmed,
      history[disarmed]?.seenAtDisarm.contains(where: { $0.device == device.rawValue }) == true
    else { return }
    history.change(disarmed, &output) { incident in
      guard case .ended(var end) = incident.phase else { return }
      end.seenAtDisarm.removeAll { $0.device == device.rawValue }
      incident.phase = .ended(end)
    }
  }

  /// A press that means no alarm: an entry of the incident that is open.
  /// - Parameter silences: its sounder, as the verb does; the emergency goes on.
  /// - Returns: the incident; nil where none is open.
  mutating func enter(
    _ press: HeardEvent, isAgeUnknown: Bool, silences: Bool, at now: Moment,
    _ output: inout CoreOutput
  ) -> IncidentID? {
    learn(press)
    guard var incident = open.take() else { return nil }
    defer { open = incident }
    add(press, isAgeUnknown, to: &incident)
    if press.isOlder(than: startedAt) { incident.addAlias(IncidentID(press.identity)) }
    output.note(Happening(.pressAdded, at: now, of: press.identity), incident.id)
    if silences, mayTouch(press.identity, incident) {
      incident.sounder = false
      output.note(Happening(.silenced, at: now, .remark(.byOneClick)), incident.id)
    }
    output.changed(incident.id)
    return incident.id
  }

  /// A bench incident would keep a live press from every live way out, and one of nobody's would
  /// keep the owner's from everyone; but bench traffic ends no live one.
  mutating func giveWay(to device: DeviceID, at now: Moment, _ output: inout CoreOutput) {
    guard let open else { return }
    let isInTheWay =
      open.isBench == device.isBench ? open.belongsToNobody && owns(device) : open.isBench
    if isInTheWay { end(.gaveWay, at: now, &output) }
  }

  /// Neither bench traffic nor a keychain of nobody's can page a person or quieten an alarm that is
  /// none of its own.
  private func mayTouch(_ identity: EventIdentity, _ incident: borrowing Incident) -> Bool {
    (incident.isBench || !identity.deviceID.isBench)
      && (incident.belongsToNobody || owns(identity.deviceID))
  }

  /// Of what was made out of reach the first is told at each reconnect, and the others are counted.
  private mutating func pressedAgain(
    _ press: HeardEvent, in incident: inout Incident, at now: Moment, _ output: inout CoreOutput
  ) {
    let device = press.identity.deviceID
    incident.device = device.rawValue
    incident.lastPosition = positions[device] ?? incident.lastPosition
    incident.lastPressAt = now
    incident.sounder = true
    incident.addAlias(IncidentID(press.identity))
    let isTold =
      press.isOutOfReach && incident.acknowledgedBy.isEmpty && age.isTold(device, in: incident.id)
    count(press, in: &incident)
    guard !endCountdown(of: &incident, at: now, &output), !isTold else { return }
    incident.acknowledgedBy = []
    tellEveryone(.update, of: &incident, at: now, &output)
  }

  private mutating func add(
    _ press: HeardEvent, _ isAgeUnknown: Bool, to incident: inout Incident
  ) {
    incident.add(press, isAgeUnknown)
    // An earlier run may have told people of this press.
    if press.isOlder(than: startedAt) { countAllAsTold(&incident) }
  }

  private mutating func count(_ press: HeardEvent, in incident: inout Incident) {
    guard press.isOutOfReach else { return }
    let (sum, overflow) = (incident.outOfReach ?? 0).addingReportingOverflow(press.covers)
    if !overflow { incident.outOfReach = sum }
    age.told(press.identity.deviceID, in: incident.id)
  }

  /// Keeps the position that a press carries, unless a newer one is known.
  private mutating func learn(_ press: HeardEvent) {
    let device = press.identity.deviceID
    guard let position = Position(press.record.position, press.happenedAt, at: press.arrivedAt)
    else { return }
    if let known = positions[device] {
      if press.happenedAt == nil, press.record.flags.contains(.replayed) { return }
      if known.wall > position.wall { return }
    }
    positions[device] = position
  }

  /// Opens an incident.
  private mutating func raise(
    _ press: HeardEvent, _ isAgeUnknown: Bool, at now: Moment, _ output: inout CoreOutput
  ) -> IncidentID {
    leave(by: nil, at: now, &output)
    let device = press.identity.deviceID
    let countdown = owns(device) ? policy.buttonCountdown : .zero
    var incident = Incident(press.identity, .first(after: countdown, at: now), at: now)
    incident.belongsToNobody = !owns(device)
    add(press, isAgeUnknown, to: &incident)
    count(press, in: &incident)
    incident.lastPosition = positions[device]
    output.note(Happening(.incidentOpened, at: now, of: press.identity), incident.id)
    begin(incident, at: now, &output)
    return incident.id
  }

  // MARK: Position

  /// A fresh position: kept for the next message, and of the track while an incident is open.
  mutating func located(
    _ device: DeviceID, _ position: Position, at now: Moment, _ output: inout CoreOutput
  ) {
    positions[device] = position
    guard open?.device == device.rawValue, open?.phase.stage?.sending != nil,
      var incident = open.take()
    else { return }
    defer { open = incident }
    guard incident.lastFixAt.map({ now.since($0) >= policy.fixEvery }) ?? true else { return }
    incident.fixes += 1
    incident.lastFixAt = now
    incident.lastPosition = position
    if incident.fixes <= Limits.incidentTrack {
      output.changes.track.append(TrackPoint(incident: incident.id, at: now, position: position))
    }
    output.changed(incident.id)
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
