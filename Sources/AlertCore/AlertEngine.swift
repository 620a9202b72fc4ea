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
  var owned: Set<DeviceID>?

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
  }

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
    if open != nil { giveWay(to: press.identity.deviceID, at: now, &output) }
    guard var incident = open.take() else { return raise(press, isAgeUnknown, at: now, &output) }
    defer { open = incident }
    add(press, isAgeUnknown, to: &incident)
    output.note(
      Happening(
        .pressAdded, at: now, of: press.identity,
        press.isOutOfReach ? .remark(.outOfReach) : nil), incident.id)
    if isFurther {
      incident.addAlias(IncidentID(press.identity))
      if press.isOutOfReach { count(press, in: &incident) }
    } else if mayTouch(press.identity, incident) {
      pressedAgain(press, in: &incident, at: now, &output)
    }
    output.changed(incident.id)
    return incident.id
  }

  func isOlder(_ press: HeardEvent, than disarmed: IncidentID) -> Bool {
    history[disarmed]?.phase.end.map { age.isOlder(press, than: $0) } ?? false
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
  func mayTouch(_ identity: EventIdentity, _ incident: borrowing Incident) -> Bool {
    (incident.isBench || !identity.deviceID.isBench)
      && (incident.belongsToNobody || owns(identity.deviceID))
  }

  /// Of what was made out of reach the first is told at each reconnect, and the others are counted.
  mutating func pressedAgain(
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
    if press.isOutOfReach { count(press, in: &incident) }
    guard !endCountdown(of: &incident, at: now, &output), !isTold else { return }
    incident.acknowledgedBy = []
    tellEveryone(.update, of: &incident, at: now, &output)
  }

  mutating func add(
    _ press: HeardEvent, _ isAgeUnknown: Bool, to incident: inout Incident
  ) {
    incident.add(press, isAgeUnknown)
    // An earlier run may have told people of this press.
    if press.isOlder(than: startedAt) { countAllAsTold(&incident) }
  }

  /// A press that was made out of reach.
  mutating func count(_ press: HeardEvent, in incident: inout Incident) {
    let (sum, overflow) = (incident.outOfReach ?? 0).addingReportingOverflow(press.covers)
    if !overflow { incident.outOfReach = sum }
    age.told(press.identity.deviceID, in: incident.id)
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

  /// Opens an incident.
  private mutating func raise(
    _ press: HeardEvent, _ isAgeUnknown: Bool, at now: Moment, _ output: inout CoreOutput
  ) -> IncidentID {
    if history.ended != nil { leave(by: nil, at: now, &output) }
    let device = press.identity.deviceID
    let countdown = owns(device) ? policy.buttonCountdown : .zero
    var incident = Incident(press.identity, .first(after: countdown, at: now), at: now)
    incident.belongsToNobody = !owns(device)
    add(press, isAgeUnknown, to: &incident)
    if press.isOutOfReach { count(press, in: &incident) }
    incident.lastPosition = positions[device]
    output.note(Happening(.incidentOpened, at: now, of: press.identity), incident.id)
    begin(incident, at: now, &output)
    return incident.id
  }

  // MARK: Telling

  /// The first state of an incident that was just opened.
  mutating func begin(
    _ opened: Incident, at now: Moment, _ output: inout CoreOutput
  ) {
    var incident = opened
    output.note(
      Transition(from: .noEmergency, to: incident.state), incident.id, at: now)
    if case .open(.sending) = incident.phase { tellFirst(&incident, at: now, &output) }
    open = incident
  }

  /// People are told from now on.
  func tellFirst(_ incident: inout Incident, at now: Moment, _ output: inout CoreOutput) {
    tellEveryone(.raise, of: &incident, at: now, &output)
    // Nobody is tried, so nothing may claim it (R14, G5).
    if recipients(of: incident).isEmpty { output.note(incident.fail(), incident.id, at: now) }
  }

  func tellEveryone(
    _ kind: Notification.Kind, of incident: inout Incident, at now: Moment,
    _ output: inout CoreOutput
  ) {
    incident.messages += 1
    incident.lastMessageAt = now
    for contact in recipients(of: incident) {
      output.tell(
        Notification(
          kind, to: reached(contact), of: incident, sequence: incident.messages,
          position: positions[DeviceID(rawValue: incident.device)], at: now))
    }
    output.changed(incident.id)
  }

  func reached(_ contact: Contact) -> Contact {
    guard let ways = ways[contact.id] else { return contact }
    var contact = contact
    contact.ways = ways
    return contact
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

extension Stage {
  /// Of an incident that opens now.
  static func first(after countdown: Interval, at now: Moment) -> Stage {
    countdown > .zero ? .countdown(ends: now + countdown) : .sending(Sending(since: now))
  }
}
