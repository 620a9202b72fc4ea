import FobBase
import WireProtocol

/// States, timers and messages of the open incident (R40 to R47, G2 to G4).
extension AlertEngine {
  /// Ends a running countdown and tells everyone.
  /// - Returns: false where no countdown is running.
  func endCountdown(
    of incident: inout Incident, at now: Timestamp, _ output: inout CoreOutput
  ) -> Bool {
    guard let transition = incident.beginSending(at: now) else { return false }
    output.note(transition, incident.id, at: now)
    tellEveryone(.raise, of: &incident, at: now, &output)
    return true
  }

  /// Completes messages that go out now: each says what is known now, and its contact counts as
  /// told.
  mutating func telling(_ notifications: inout [Notification], _ output: inout CoreOutput) {
    guard !notifications.isEmpty, var incident = open.take() else { return }
    defer { open = incident }
    for index in notifications.indices {
      let notification = notifications[index]
      guard notification.incident == incident.id, notification.kind != .closing else { continue }
      notifications[index].context = incident.context(of: notification.kind)
      guard !incident.told.contains(notification.contact.id) else { continue }
      incident.told.append(notification.contact.id)
      output.changed(incident.id)
    }
  }

  /// Somebody beyond this host has accepted a message: it is SENT (R45), also after it had failed
  /// (R46).
  mutating func accepted(
    _ notification: Notification, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard notification.incident == open?.id, notification.kind != .closing else { return }
    output.note(open?.accept(at: now), notification.incident, at: now)
  }

  mutating func wake(at now: Timestamp, _ output: inout CoreOutput) {
    guard let due = nextWake, due.at <= now.at, var incident = open.take() else { return }
    if let update = owedUpdate(of: incident), update.at <= now.at {
      incident.owesUpdate = false
      tellEveryone(.update, of: &incident, at: now, &output)
    } else if case .open(.sent) = incident.phase {
      if let ends = trackingEnds(of: incident), ends.at <= now.at {
        open = incident
        return end(.trackingOver, at: now, &output)
      }
      incident.owesUpdate = false
      tellEveryone(.again, of: &incident, at: now, &output)
    } else if !endCountdown(of: &incident, at: now, &output) {
      output.note(incident.fail(), incident.id, at: now)
    }
    open = incident
  }

  /// Mutating, since a non-mutating getter copies the machine.
  var nextWake: Timestamp? {
    mutating get {
      guard let open else { return nil }
      let wake: Timestamp? =
        switch open.phase {
        case .open(.countdown(let ends)): ends
        case .open(.sending(let sending)): sending.since + policy.failAfter
        case .open(.sent): Timestamp.earlier(nextMessage(of: open), trackingEnds(of: open))
        case .open(.failed), .ended: nil
        }
      return Timestamp.earlier(wake, owedUpdate(of: open))
    }
  }

  /// When people may be told of a further press: of a keychain that is alone, and of the first
  /// without proof, at once.
  /// - Parameter isUnproved: of presses without proof alone.
  func nextUpdate(of incident: borrowing Incident, isUnproved: Bool) -> Timestamp {
    let last = incident.lastMessageAt ?? incident.openedAt
    if isUnproved {
      return incident.unprovedAlarms > 1 ? last + policy.unprovedUpdateEvery : last
    }
    return incident.isOfSeveralKeychains ? last + policy.fleetUpdateEvery : last
  }

  private func owedUpdate(of incident: borrowing Incident) -> Timestamp? {
    incident.owesUpdate ? nextUpdate(of: incident, isUnproved: incident.owesUnproved) : nil
  }

  /// When the next message goes out (R37); nil unless the state is SENT and nobody has
  /// acknowledged.
  var nextMessage: Timestamp? { open.flatMap { nextMessage(of: $0) } }

  private func nextMessage(of incident: borrowing Incident) -> Timestamp? {
    guard case .open(.sent) = incident.phase, incident.acknowledgedBy.isEmpty else { return nil }
    return incident.lastMessageAt.map {
      $0 + (account.messageEvery.map { .minutes(Int64($0)) } ?? policy.messageEvery)
    }
  }

  /// 30 minutes after SENT, also where acceptance came late (G3), and after the last further press:
  /// R45 ends an emergency only where there was no action.
  private func trackingEnds(of incident: borrowing Incident) -> Timestamp? {
    guard case .open(.sent(_, let sent)) = incident.phase else { return nil }
    let pressed = incident.lastPressAt ?? sent
    return (pressed.at > sent.at ? pressed : sent) + policy.tracking
  }

  /// Ends the incident that is open.
  mutating func end(
    _ reason: EndReason, by who: String? = nil, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard var incident = open.take() else { return }
    incident.gaveWay = nil
    let seen = reason == .disarmed ? age.evidence(at: now) : []
    output.note(incident.end(reason, seen: seen, at: now), incident.id, by: who, at: now)
    output.ended.append(incident.id)
    incident.decided(incident.messages + 1, at: now)
    history.add(incident, keeping: output.changedIncidents)
  }

  /// The open incident whose messages may go out: none during a countdown, none that is unclaimed.
  @inline(__always)
  var toldIncident: IncidentID? {
    guard let open, !open.isUnclaimed, open.phase.stage?.sending != nil else { return nil }
    return open.id
  }

  /// The closing messages, to everyone who was, or may have been, told (R52, G4).
  func closings(of ended: Incident, at now: Timestamp) -> [Notification] {
    everyone.filter { ended.told.contains($0.id) }.map {
      Notification(
        .closing, to: $0, by: ways[$0.id], of: ended, sequence: ended.messages + 1, position: nil,
        at: now)
    }
  }

  /// Counts everyone as told, where nobody knows who was: all of them hear the end.
  func countAllAsTold(_ incident: inout Incident) {
    incident.told = recipients(of: incident).map(\.id)
  }

  /// Goes from ENDED to NO_EMERGENCY: a person resumes, or a new press opens the next incident.
  mutating func leave(by who: String?, at now: Timestamp, _ output: inout CoreOutput) {
    guard let (id, transition) = history.leave() else { return }
    output.note(transition, id, at: now)
    output.note(AuditEvent(.resumed, at: now, by: who), id)
  }

  /// Tells everyone again of an incident that was rebuilt from damaged records as open: nobody
  /// knows who was told of it or of its end.
  mutating func raiseAgain(
    _ damage: RecordsDamage?, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let damage, var incident = open.take() else { return }
    defer { open = incident }
    guard damage.raisedAgain.contains(incident.id) else { return }
    output.note(incident.beginSending(at: now), incident.id, at: now)
    if case .open(.sending(var sending)) = incident.phase {
      sending.since = now
      incident.phase = .open(.sending(sending))
    }
    tellEveryone(.again, of: &incident, at: now, &output)
  }
}
