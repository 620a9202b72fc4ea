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
  let startedAt: Timestamp
  var age: PressAge
  var positions: [DeviceID: Position] = [:]
  /// Of triggers that were taken, the newest last.
  var seenTriggers: [IncidentID] = []
  /// The keychains of the account; nil: every one.
  var owned: Set<DeviceID>?

  init(_ account: Account, channels: [Contact] = [], _ policy: Policy, at now: Timestamp) {
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

  /// An emergency that shuts everything else off (R36); one of an unclaimed keychain shuts off
  /// nothing.
  var isLocked: Bool { open?.isUnclaimed == false }

  /// Contacts that no notification channel can reach.
  var unreachable: [ContactID] { account.contacts.map(\.id).filter { ways[$0]?.isEmpty == true } }

  /// Persons and channels.
  var everyone: [Contact] { channels.isEmpty ? account.contacts : account.contacts + channels }

  /// Who is told of an incident: of one that belongs to nobody, nobody (G5).
  func recipients(of incident: borrowing Incident) -> [Contact] {
    incident.isUnclaimed ? [] : everyone
  }

  /// The one that is open, or has ended and nobody has gone on from it.
  var incident: Incident? { open ?? history.lastEnded }

  var state: EmergencyState {
    open?.phase.state ?? (history.ended == nil ? .noEmergency : .emergencyEnded)
  }

  /// As it is now.
  func incident(_ id: IncidentID) -> Incident? { open?.id == id ? open : history[id] }

  /// A press that means alarm.
  /// - Parameter isFurther: of a gesture whose first press has just raised: an entry, not news.
  /// - Returns: the incident that it became an entry of.
  mutating func press(
    _ press: HeardEvent, isAgeUnknown: Bool = false, isFurther: Bool = false, at now: Timestamp,
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
      AuditEvent(
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

  mutating func add(
    _ press: HeardEvent, _ isAgeUnknown: Bool, to incident: inout Incident
  ) {
    incident.add(press, isAgeUnknown)
    // An earlier run may have told people of this press.
    if press.precedes(startedAt) { countAllAsTold(&incident) }
  }

  /// Keeps the position that a press carries, unless a newer one is known.
  mutating func learn(_ press: HeardEvent) {
    guard press.record.position.isKnown,
      let position = Position(press.record.position, press.happenedAt, at: press.receivedAt)
    else { return }
    let device = press.identity.deviceID
    if let known = positions[device] {
      if press.happenedAt == nil, press.record.flags.contains(.replayed) { return }
      if known.wall > position.wall { return }
    }
    positions[device] = position
  }

  /// Opens an incident.
  private mutating func raise(
    _ press: HeardEvent, _ isAgeUnknown: Bool, at now: Timestamp, _ output: inout CoreOutput
  ) -> IncidentID {
    if history.ended != nil { leave(by: nil, at: now, &output) }
    let device = press.identity.deviceID
    var incident = Incident(
      IncidentID(press.identity), of: device, .open(.sending(Stage.Sending(since: now))), at: now)
    incident.isUnclaimed = !owns(device)
    add(press, isAgeUnknown, to: &incident)
    if press.isOutOfReach { count(press, in: &incident) }
    incident.lastPosition = positions[device]
    output.note(AuditEvent(.incidentOpened, at: now, of: press.identity), incident.id)
    begin(incident, after: owns(device) ? policy.buttonCountdown : .zero, at: now, &output)
    return incident.id
  }

  // MARK: Telling

  /// The first state of an incident that was just opened.
  mutating func begin(
    _ opened: Incident, after countdown: Interval, at now: Timestamp, _ output: inout CoreOutput
  ) {
    var incident = opened
    if countdown > .zero { incident.phase = .open(.countdown(ends: now + countdown)) }
    output.note(Transition(from: .noEmergency, to: incident.state), incident.id, at: now)
    if case .open(.sending) = incident.phase {
      tellEveryone(.raise, of: &incident, at: now, &output)
    }
    open = incident
  }

  func tellEveryone(
    _ kind: Notification.Kind, of incident: inout Incident, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    incident.messages += 1
    incident.lastMessageAt = now
    let position = positions[DeviceID(rawValue: incident.device)]
    let recipients = recipients(of: incident)
    for contact in recipients {
      output.changes.messages.append(
        Notification(
          kind, to: contact, by: ways[contact.id], of: incident, sequence: incident.messages,
          position: position, at: now))
    }
    // Nobody is tried, so nothing may claim it (R14, G5).
    if recipients.isEmpty { output.note(incident.fail(), incident.id, at: now) }
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
        number: press.identity.number, deviceID: press.identity.deviceID,
        receivedAt: press.receivedAt, covers: press.covers,
        isAgeUnknown: isAgeUnknown || press.isOutOfReach ? true : nil,
        isSetAside: isSetAside ? true : nil))
  }

  mutating func addAlias(_ alias: @autoclosure () -> IncidentID) {
    if aliases.count < Limits.incidentPresses { aliases.append(alias()) }
  }
}

/// Incidents that are over, by their names, as long as something may still become of them.
struct IncidentHistory: Sendable {
  private var incidents: [IncidentID: Incident] = [:]
  /// Nobody has gone on from it (R40).
  private(set) var ended: IncidentID?
  /// The last that ended by PIN: a press that was made before that becomes its entry.
  private(set) var disarmed: IncidentID?

  subscript(id: IncidentID) -> Incident? { incidents[id] }

  var lastEnded: Incident? { ended.flatMap { incidents[$0] } }

  mutating func recover(_ stored: StoredState) {
    for incident in [stored.lastDisarmed, stored.current].compactMap(\.self) {
      guard case .ended(let end) = incident.phase else { continue }
      var incident = incident
      incident.limitCounts()
      incidents[incident.id] = incident
      if !end.isLeft { ended = incident.id }
    }
    disarmed = stored.lastDisarmed?.id
  }

  /// One that ended just now. Of the others but the last disarmed nothing can become any more.
  /// - Parameter changed: what this step is still to write.
  mutating func add(_ incident: Incident, keeping changed: [IncidentID]) {
    ended = incident.id
    if incident.endReason == .disarmed { disarmed = incident.id }
    incidents = incidents.filter { $0.key == disarmed || changed.contains($0.key) }
    incidents[incident.id] = incident
  }

  /// - Returns: the one that nobody had gone on from.
  mutating func leave() -> (IncidentID, Transition)? {
    guard let id = ended, let transition = incidents[id]?.leave() else { return nil }
    ended = nil
    return (id, transition)
  }

  mutating func change(
    _ id: IncidentID, _ output: inout CoreOutput, _ body: (inout Incident) -> Void
  ) {
    guard let place = incidents.index(forKey: id) else { return }
    body(&incidents.values[place])
    output.changed(id)
  }
}
