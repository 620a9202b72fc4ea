import FobBase
import WireProtocol

/// The states, the timers and the messages (R40 to R47, G2 to G4).
extension AlertEngine {
  mutating func become(
    _ next: EmergencyState, by who: String? = nil, at now: Moment, _ turn: inout Turn
  ) {
    precondition(state.canBecome(next), "an emergency's states move along R40's graph")
    let from = state
    incident!.state = next
    var happening = Happening(.stateChanged, at: now, .became(next, from: from))
    happening.who = who
    turn.note(happening, incident!.id)
    isChanged = true
  }

  mutating func beginSending(at now: Moment, _ turn: inout Turn) {
    become(.emergencySending, at: now, &turn)
    incident!.trackingSince = now
    tellEveryone(.raise, at: now, &turn)
    // Nobody is tried, so nothing may claim it (R14, G5).
    if recipients.isEmpty { become(.emergencySendingFailed, at: now, &turn) }
  }

  mutating func tellEveryone(
    _ kind: Notification.Kind, at now: Moment, _ turn: inout Turn
  ) {
    incident!.messages += 1
    incident!.lastMessageAt = now
    for contact in recipients {
      turn.tell(
        Notification(
          kind, to: reached(contact), of: incident!, sequence: incident!.messages,
          position: positions[DeviceID(rawValue: incident!.device)], at: now))
    }
  }

  /// Messages are on their way to these contacts.
  mutating func telling(_ notifications: [Notification]) {
    for notification in notifications where maybeTold(notification) { isChanged = true }
  }

  /// How many presses were made out of reach is said as it is known when a message goes out.
  func stamp(_ notifications: inout [Notification]) {
    for index in notifications.indices where notifications[index].kind != .closing {
      guard notifications[index].incident == incident?.id else { continue }
      notifications[index].outOfReach = incident!.outOfReach
    }
  }

  /// - Returns: true when this is news.
  @discardableResult
  mutating func maybeTold(_ notification: Notification) -> Bool {
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
    mutating get {
      switch state {
      case .alertCountdown: return incident!.countdownEnds
      case .emergencySending: return incident!.trackingSince.map { $0 + policy.failAfter }
      case .emergencySent: return Moment.earlier(nextMessage, trackingEnds)
      default: return nil
      }
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
  var trackingEnds: Moment? {
    guard let sent = incident!.sentAt else { return nil }
    let pressed = incident!.lastPressAt ?? sent
    return (pressed.at > sent.at ? pressed : sent) + policy.tracking
  }

  mutating func end(
    _ reason: EndReason, by who: String? = nil, at now: Moment, _ turn: inout Turn
  ) {
    incident!.endedAt = now
    incident!.endReason = reason
    incident!.sounder = false
    if reason == .disarmed {
      incident!.seenAtDisarm = age.evidence(at: now)
    }
    become(.emergencyEnded, by: who, at: now, &turn)
    if reason == .disarmed { lastDisarmed = incident }
    turn.close(incident!)
  }

  /// The open incident that people are told of.
  var toldIncident: IncidentID? {
    guard state.isOpen, state != .alertCountdown, incident!.isUnowned != true else { return nil }
    return incident!.id
  }

  /// To everyone who was, or may have been, told (R52, G4).
  func closings(of ended: Incident, at now: Moment) -> [Notification] {
    everyone.filter { ended.told.contains($0.id) }.map {
      Notification(
        .closing, to: reached($0), of: ended, sequence: ended.messages + 1, position: nil, at: now)
    }
  }

  /// Nobody knows who was told: all are to hear the end.
  mutating func countAllAsTold() { incident!.told = recipients.map(\.id) }

  private func reached(_ contact: Contact) -> Contact {
    guard let ways = ways[contact.id] else { return contact }
    var contact = contact
    contact.ways = ways
    return contact
  }

  /// An earlier run may have told people of this press.
  mutating func noteEarlierRun(_ press: HeardEvent) {
    if press.isOlder(than: startedAt) { countAllAsTold() }
  }

  /// A press joins what is over, and an earlier run may have told people of it by its own name.
  mutating func closeAgain(
    _ press: EventIdentity, at now: Moment, _ turn: inout Turn
  ) {
    lastDisarmed!.addAlias(IncidentID(press))
    lastDisarmed!.told = everyone.map(\.id)
    lastDisarmed!.messages += 1
    for closing in closings(of: lastDisarmed!, at: now) { turn.tell(closing) }
  }

  /// From ENDED to NO_EMERGENCY: by a person, or because a new press opens the next incident.
  mutating func leave(by who: String?, at now: Moment, _ turn: inout Turn) {
    become(.noEmergency, at: now, &turn)
    turn.note(Happening(.resumed, at: now, by: who), incident!.id)
    if lastDisarmed?.id == incident!.id { lastDisarmed = incident }
    save(&turn)
    incident = nil
  }
}
