import FobBase
import WireProtocol

/// Carries one emergency from its first press to its end (R40 to R55): states, timers and messages.
/// It only decides. It learns from inputs whether something is durable or was delivered.
///
/// Code that changes the open incident takes it out of `open`, and puts it back there or into
/// `history`.
///
/// Questions that each step asks are inlined, here and in the parts beside it: a call would hand
/// over a copy of all that is asked.
struct AlertEngine: Sendable {
  private(set) var account: Account
  /// Recipients beside the contacts that are no persons.
  let channels: [Contact]
  /// The sinks that reach each contact, from the configuration.
  var ways: [ContactID: [String]] = [:]
  let policy: Policy
  /// The incident in which somebody may need help now: presses become its entries.
  var open: Incident? {
    get { opened?.incident }
    set { opened = newValue.map { OpenIncident($0) } }
  }
  private var opened: OpenIncident?
  /// Some incident is open.
  @inline(__always)
  var hasOpen: Bool { opened != nil }
  /// Of the open incident.
  @inline(__always)
  var openPhase: Phase? { opened?.incident.phase }
  var history = IncidentHistory()
  /// The unclaimed incident whose place the one that this step opens takes.
  var givesWay: GivenWay?
  let startedAt: Timestamp
  /// No earlier run can have told anybody of a press.
  var isFirstRun = false
  var age: PressAge
  var positions: [DeviceID: Position] = [:]
  /// The incidents of the triggers that were taken, the newest last.
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
    if !account.mayLocate { positions = [:] }
    owned = account.isActive ? account.devices.map { Set($0.compactMap(DeviceID.init(text:))) } : []
  }

  @inline(__always)
  var ownsAll: Bool { owned == nil }

  /// True where the keychain's presses raise the account's alarm (R4, R20).
  @inline(__always)
  func owns(_ device: DeviceID) -> Bool { owned?.contains(device) ?? true }

  /// An open emergency makes everything else unreachable (R36); an unclaimed one does not.
  @inline(__always)
  var isLocked: Bool { opened?.incident.isUnclaimed == false }

  /// Contacts that no notification channel can reach.
  var unreachable: [ContactID] { account.contacts.map(\.id).filter { ways[$0]?.isEmpty == true } }

  /// All contacts and channels.
  var everyone: [Contact] { channels.isEmpty ? account.contacts : account.contacts + channels }

  /// The recipients of an incident; an unclaimed one has none (G5).
  func recipients(of incident: borrowing Incident) -> [Contact] {
    incident.isUnclaimed ? [] : everyone
  }

  /// The open incident, or the ended one that nobody has resumed from.
  @inline(__always)
  var incident: Incident? { open ?? history.lastEnded }

  var state: EmergencyState {
    openPhase?.state ?? (history.ended == nil ? .noEmergency : .emergencyEnded)
  }

  /// The incident in its present state, open or ended.
  func incident(_ id: IncidentID) -> Incident? { open?.id == id ? open : history[id] }

  /// Takes a press that means alarm.
  /// - Parameter isFurther: true for the later presses of a gesture whose first press has just
  ///   raised: they become entries and are not told.
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
    let device = press.identity.deviceID
    if open != nil { giveWay(to: device, isOwners: owns(device), at: now, &output) }
    guard var incident = open.take() else { return raise(press, isAgeUnknown, at: now, &output) }
    defer { open = incident }
    add(press, isAgeUnknown, to: &incident)
    output.note(
      AuditEvent(
        .pressAdded, at: now, of: press.identity,
        press.isOutOfReach ? .remark(.outOfReach) : nil), incident.id)
    if isFurther {
      incident.addAlias(of: press)
      if press.isOutOfReach { count(press, in: &incident) }
    } else if mayTouch(press.identity, incident) {
      pressedAgain(press, in: &incident, at: now, &output)
    }
    output.changed(incident.id)
    return incident.id
  }

  mutating func add(_ press: HeardEvent, _ isAgeUnknown: Bool, to incident: inout Incident) {
    incident.add(press, isAgeUnknown)
    if mayBeToldAlready(press) { countAllAsTold(&incident) }
  }

  /// An earlier run may have told people of this press.
  func mayBeToldAlready(_ press: HeardEvent) -> Bool {
    !isFirstRun && press.precedes(startedAt)
  }

  /// Keeps the position that a press carries, unless a newer one is known.
  mutating func learn(_ press: HeardEvent) {
    guard account.mayLocate, press.record.position.isKnown,
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
    if press.isUnproved { incident.unprovedAlarms = 1 }
    if press.isOutOfReach { count(press, in: &incident) }
    incident.lastPosition = positions[device]
    output.note(AuditEvent(.incidentOpened, at: now, of: press.identity), incident.id)
    begin(incident, after: owns(device) ? policy.buttonCountdown : .zero, at: now, &output)
    return incident.id
  }

  // MARK: Telling

  /// Puts a new incident into its first state: countdown, or sending at once.
  mutating func begin(
    _ opened: Incident, after countdown: Interval, at now: Timestamp, _ output: inout CoreOutput
  ) {
    var incident = opened
    incident.gaveWay = givesWay
    givesWay = nil
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
    incident.decided(incident.messages, at: now)
    let position = positions[DeviceID(rawValue: incident.device)]
    let recipients = recipients(of: incident)
    for contact in recipients {
      output.changes.messages.append(
        Notification(
          kind, to: contact, by: ways[contact.id], of: incident, sequence: incident.messages,
          position: position, at: now))
    }
    // Without recipients nothing is sent, so no state may claim that it is (R14, G5).
    if recipients.isEmpty { output.note(incident.fail(), incident.id, at: now) }
    output.changed(incident.id)
  }
}

/// Behind a reference, since each step asks whether an incident is open, and few change it.
private final class OpenIncident: Sendable {
  let incident: Incident

  init(_ incident: Incident) { self.incident = incident }
}

extension Incident {
  mutating func add(_ press: HeardEvent, _ isAgeUnknown: Bool, isSetAside: Bool = false) {
    let isListed =
      press.isUnproved
      ? presses.count < Self.room(for: press) : hasRoom(for: press.identity.deviceID)
    guard isListed else {
      furtherPresses += press.covers
      return
    }
    presses.append(
      PressEntry(
        number: press.identity.number, deviceID: press.identity.deviceID,
        receivedAt: press.receivedAt, covers: press.covers,
        isAgeUnknown: isAgeUnknown || press.isOutOfReach ? true : nil,
        isSetAside: isSetAside ? true : nil, isProved: press.isProved,
        crc: press.isUnproved ? press.identity.crc : nil))
  }

  /// Lists a moved press.
  /// - Returns: false where there is no room for it.
  mutating func list(_ press: PressEntry) -> Bool {
    guard hasRoom(for: press.deviceID) else { return false }
    presses.append(press)
    return true
  }

  /// One press of each keychain is listed for longer: it is what can be moved to who claims it.
  private func hasRoom(for device: DeviceID) -> Bool {
    presses.count < Limits.incidentPresses
      || (presses.count < Limits.incidentEntries && !presses.contains { $0.deviceID == device })
  }

  mutating func addAlias(of press: HeardEvent) {
    if aliases.count < Self.room(for: press) { aliases.append(IncidentID(press.identity)) }
  }

  /// A stranger's presses leave half of the room to the keychain's own.
  private static func room(for press: HeardEvent) -> Int {
    press.isUnproved ? Limits.incidentPresses / 2 : Limits.incidentPresses
  }
}
