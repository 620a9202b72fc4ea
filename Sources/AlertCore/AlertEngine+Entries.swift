import FobBase
import WireProtocol

/// What joins an incident beside the presses that raise it, and what an earlier run left.
extension AlertEngine {
  mutating func recover(_ stored: StoredState, at now: Timestamp) {
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

  func isOlder(_ press: HeardEvent, than disarmed: IncidentID) -> Bool {
    history[disarmed]?.phase.end.map { age.isOlder(press, than: $0) } ?? false
  }

  /// A bench incident would keep a live press from every live notification channel, and one of an
  /// unclaimed keychain would keep the owner's from everyone; but bench traffic ends no live one.
  mutating func giveWay(to device: DeviceID, at now: Timestamp, _ output: inout CoreOutput) {
    guard let open else { return }
    let isInTheWay =
      open.isBench == device.isBench ? open.isUnclaimed && owns(device) : open.isBench
    if isInTheWay { end(.gaveWay, at: now, &output) }
  }

  /// Neither bench traffic nor a unclaimed keychain can page a person or quieten an alarm that is
  /// none of its own.
  func mayTouch(_ identity: EventIdentity, _ incident: borrowing Incident) -> Bool {
    (incident.isBench || !identity.deviceID.isBench)
      && (incident.isUnclaimed || owns(identity.deviceID))
  }

  /// Of what was made out of reach the first is told at each reconnect, and the others are counted.
  mutating func pressedAgain(
    _ press: HeardEvent, in incident: inout Incident, at now: Timestamp, _ output: inout CoreOutput
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

  /// A press that was made out of reach.
  mutating func count(_ press: HeardEvent, in incident: inout Incident) {
    let (sum, overflow) = (incident.outOfReach ?? 0).addingReportingOverflow(press.covers)
    if !overflow { incident.outOfReach = sum }
    age.told(press.identity.deviceID, in: incident.id)
  }

  /// It was made before the alarm was switched off: an entry of what is over.
  mutating func setAside(
    _ press: HeardEvent, _ isAgeUnknown: Bool, in disarmed: IncidentID, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    let isOfEarlierRun = press.precedes(startedAt)
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
      output.changes.messages += closings(of: incident, at: now)
    }
    output.note(
      AuditEvent(.pressJoined, at: now, of: press.identity, .remark(.setAside)), disarmed)
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
  /// - Parameter silences: its sounder, as the command does; the emergency goes on.
  /// - Returns: the incident; nil where none is open.
  mutating func enter(
    _ press: HeardEvent, isAgeUnknown: Bool, silences: Bool, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> IncidentID? {
    learn(press)
    guard var incident = open.take() else { return nil }
    defer { open = incident }
    add(press, isAgeUnknown, to: &incident)
    if press.precedes(startedAt) { incident.addAlias(IncidentID(press.identity)) }
    output.note(AuditEvent(.pressAdded, at: now, of: press.identity), incident.id)
    if silences, mayTouch(press.identity, incident) {
      incident.sounder = false
      output.note(AuditEvent(.silenced, at: now, .remark(.byOneClick)), incident.id)
    }
    output.changed(incident.id)
    return incident.id
  }

  /// A fresh position: kept for the next message, and of the track while an incident is open.
  mutating func located(
    _ device: DeviceID, _ position: Position, at now: Timestamp, _ output: inout CoreOutput
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
