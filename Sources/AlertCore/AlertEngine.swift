import FobBase
import WireProtocol

/// Carries one emergency from its first press to its end (R40 to R55): the states, the timers, the
/// messages. It decides; it never asks whether anything is durable or was delivered by itself.
struct AlertEngine: Sendable {
  var account: Account
  let policy: Policy
  private(set) var incident: Incident?
  private(set) var lastDisarmed: Incident?
  private let startedAt: Moment
  private var seen: [DeviceID: SeenEvent] = [:]
  private var positions: [DeviceID: Position] = [:]
  /// The incident is not as it was when the turn began: it is written once, at the turn's end.
  private var isChanged = false

  init(_ account: Account, _ policy: Policy, at now: Moment) {
    self.account = account
    self.policy = policy
    startedAt = now
  }

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
    guard let incident, state.isOpen else { return }
    positions[DeviceID(rawValue: incident.device)] = incident.lastPosition
    // What the earlier run has told since its last commit nobody knows.
    self.incident!.told = account.contacts.map(\.id)
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
    // A bench incident would keep a live press from every live way out.
    if state.isOpen, incident!.isBench, !identity.deviceID.isBench {
      end(.cancelled, at: now, &turn)
    }
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

  /// Bench traffic can neither page a person nor quieten an alarm that is none of its own.
  private func mayTouch(_ identity: EventIdentity) -> Bool {
    incident!.isBench || !identity.deviceID.isBench
  }

  private mutating func pressedAgain(
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

  private mutating func open(
    _ press: HeardEvent, _ isAgeUnknown: Bool, at now: Moment, _ turn: inout Turn
  ) -> IncidentID {
    if state == .emergencyEnded { leave(at: now, &turn) }
    incident = Incident(press.identity, at: now)
    incident!.add(press, isAgeUnknown)
    noteEarlierRun(press)
    incident!.lastPosition = positions[press.identity.deviceID]
    turn.note(Happening(.incidentOpened, at: now, of: press.identity), incident!.id)
    if policy.buttonCountdown > .zero {
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
  private func isEarlier(
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

  // MARK: States

  private mutating func become(_ next: EmergencyState, at now: Moment, _ turn: inout Turn) {
    precondition(state.canBecome(next), "an emergency's states move along R40's graph")
    let from = state
    incident!.state = next
    turn.note(
      Happening(.stateChanged, at: now, .became(next, from: from)), incident!.id)
    isChanged = true
  }

  private mutating func beginSending(at now: Moment, _ turn: inout Turn) {
    become(.emergencySending, at: now, &turn)
    incident!.trackingSince = now
    tellEveryone(.raise, at: now, &turn)
    // Nobody is tried, so nothing may claim it (R14, G5).
    if account.contacts.isEmpty { become(.emergencySendingFailed, at: now, &turn) }
  }

  private mutating func tellEveryone(
    _ kind: Notification.Kind, at now: Moment, _ turn: inout Turn
  ) {
    incident!.messages += 1
    incident!.lastMessageAt = now
    for contact in account.contacts {
      turn.tell(
        Notification(
          kind, to: contact, of: incident!, sequence: incident!.messages,
          position: positions[DeviceID(rawValue: incident!.device)], at: now))
    }
  }

  /// Messages are on their way to these contacts.
  mutating func telling(_ notifications: [Notification]) {
    for notification in notifications where maybeTold(notification) { isChanged = true }
  }

  /// - Returns: true when this is news.
  @discardableResult
  private mutating func maybeTold(_ notification: Notification) -> Bool {
    guard notification.incident == incident?.id, notification.kind != .closing,
      !incident!.told.contains(notification.contact.id)
    else { return false }
    incident!.told.append(notification.contact.id)
    return true
  }

  /// Somebody beyond this host has accepted a message (R45, and R46's way out).
  mutating func accepted(_ notification: Notification, at now: Moment, _ turn: inout Turn) {
    guard notification.incident == incident?.id, notification.kind != .closing else { return }
    guard state == .emergencySending || state == .emergencySendingFailed else { return }
    incident!.sentAt = now
    become(.emergencySent, at: now, &turn)
  }

  mutating func wake(at now: Moment, _ turn: inout Turn) {
    switch state {
    case .alertCountdown:
      if let ends = incident!.countdownEnds, ends.at <= now.at { beginSending(at: now, &turn) }
    case .emergencySending:
      if let since = incident!.trackingSince, now.since(since) >= policy.failAfter {
        become(.emergencySendingFailed, at: now, &turn)
      }
    case .emergencySent:
      if let ends = trackingEnds, ends.at <= now.at {
        end(.trackingOver, at: now, &turn)
      } else if let next = nextMessage, next.at <= now.at {
        tellEveryone(.again, at: now, &turn)
        isChanged = true
      }
    case .emergencySendingFailed, .emergencyEnded, .noEmergency: break
    }
  }

  var nextWake: Moment? {
    switch state {
    case .alertCountdown: return incident!.countdownEnds
    case .emergencySending: return incident!.trackingSince.map { $0 + policy.failAfter }
    case .emergencySent:
      guard let ends = trackingEnds else { return nextMessage }
      return nextMessage.map { $0.at < ends.at ? $0 : ends } ?? ends
    default: return nil
    }
  }

  /// When the next message goes out (R37); nil once somebody has acknowledged.
  var nextMessage: Moment? {
    // By its stored properties: to ask it anything else copies the whole incident.
    guard state == .emergencySent, incident!.acknowledgedBy.isEmpty else { return nil }
    return incident!.lastMessageAt.map { $0 + policy.messageEvery }
  }

  /// Not before 30 minutes after SENT where acceptance came late (G3), nor after a further press:
  /// R45 ends an emergency where there was no action. Asked where an incident was sent.
  private var trackingEnds: Moment? {
    guard let sent = incident!.sentAt else { return nil }
    let pressed = incident!.lastPressAt ?? sent
    return (pressed.at > sent.at ? pressed : sent) + policy.tracking
  }

  private mutating func end(_ reason: EndReason, at now: Moment, _ turn: inout Turn) {
    incident!.endedAt = now
    incident!.endReason = reason
    incident!.sounder = false
    if reason == .disarmed {
      incident!.seenAtDisarm = seen.values.sorted { $0.device < $1.device }
    }
    become(.emergencyEnded, at: now, &turn)
    if reason == .disarmed { lastDisarmed = incident }
    turn.close(incident!)
  }

  /// To everyone who was, or may have been, told (R52, G4).
  func closings(of ended: Incident, at now: Moment) -> [Notification] {
    account.contacts.filter { ended.told.contains($0.id) }.map {
      Notification(
        .closing, to: $0, of: ended, sequence: ended.messages + 1, position: nil, at: now)
    }
  }

  /// An earlier run may have told people of this press.
  private mutating func noteEarlierRun(_ press: HeardEvent) {
    if press.isOlder(than: startedAt) { incident!.told = account.contacts.map(\.id) }
  }

  /// A press joins what is over, and an earlier run may have told people of it by its own name.
  private mutating func closeAgain(
    _ press: EventIdentity, at now: Moment, _ turn: inout Turn
  ) {
    lastDisarmed!.addAlias(IncidentID(press))
    lastDisarmed!.told = account.contacts.map(\.id)
    lastDisarmed!.messages += 1
    for closing in closings(of: lastDisarmed!, at: now) { turn.tell(closing) }
  }

  // MARK: Verbs

  mutating func perform(_ verb: Verb, at now: Moment, _ turn: inout Turn) -> Verb.Refusal? {
    switch verb {
    case .disarm, .cancel:
      guard state.isOpen else { return .nothingOpen }
      guard verb == .disarm || account.pinHash == nil else { return .pinNeeded }
      end(verb == .disarm ? .disarmed : .cancelled, at: now, &turn)
    case .acknowledge(let contact):
      guard state.isOpen, state != .alertCountdown else { return .nothingOpen }
      guard account.contacts.contains(where: { $0.id == contact }) else { return .unknownContact }
      if !incident!.acknowledgedBy.contains(contact) { incident!.acknowledgedBy.append(contact) }
      turn.note(Happening(.acknowledged, at: now, detail: nil), incident!.id, contact: contact)
    case .silence, .quit:
      guard state.isOpen else { return .nothingOpen }
      incident!.sounder = false
      if verb == .quit { incident!.surveyOpened = true }
      let name = verb == .quit ? Happening.Name.surveyOpened : .silenced
      turn.note(Happening(name, at: now), incident!.id)
    case .resume:
      guard state == .emergencyEnded else { return .nothingEnded }
      leave(at: now, &turn)
      return nil
    case .wrongPIN:
      turn.note(Happening(.wrongPIN, at: now), incident?.id)
      return .wrongPIN
    }
    isChanged = true
    return nil
  }

  /// From ENDED to NO_EMERGENCY: by a person, or because a new press opens the next incident.
  private mutating func leave(at now: Moment, _ turn: inout Turn) {
    become(.noEmergency, at: now, &turn)
    turn.note(Happening(.resumed, at: now), incident!.id)
    if lastDisarmed?.id == incident!.id { lastDisarmed = incident }
    save(&turn)
    incident = nil
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
  fileprivate mutating func add(_ press: HeardEvent, _ isAgeUnknown: Bool) {
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

  fileprivate mutating func addAlias(_ alias: @autoclosure () -> IncidentID) {
    if aliases.count < Limits.incidentPresses { aliases.append(alias()) }
  }
}
