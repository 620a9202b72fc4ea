import FobBase
import WireProtocol

/// Entries that raise nothing, and the state that an earlier run left.
extension AlertEngine {
  mutating func recover(_ stored: StoredState, at now: Timestamp) {
    isFirstRun = stored.isNew
    history.recover(stored)
    age.recover(stored.devices)
    seenTriggers = stored.triggers
    guard var incident = stored.current, incident.state.isOpen else { return }
    incident.rebase(to: now)
    if account.mayLocate {
      positions[DeviceID(rawValue: incident.device)] = incident.lastPosition
    }
    // Nobody knows whom the earlier run has told since its last commit.
    countAllAsTold(&incident)
    open = incident
    for event in stored.recent { locate(event, in: incident) }
  }

  /// Where the alarm's other keychains were pressed: their presses may move to who claims them.
  private mutating func locate(_ event: StoredEvent, in incident: borrowing Incident) {
    let record = event.record
    let device = record.identity.deviceID
    guard account.mayLocate, record.position.isKnown, !record.flags.contains(.replayed),
      device.rawValue != incident.device,
      incident.presses.contains(where: { $0.deviceID == device })
        || incident.gaveWay?.presses.contains(where: { $0.deviceID == device }) == true
    else { return }
    var receivedAt = startedAt
    receivedAt.wall = event.receivedWall
    positions[device] = Position(record.position, nil, at: receivedAt) ?? positions[device]
  }

  // MARK: Presses

  /// A copy of a press came with its proof: its entry is proved, and its position counts.
  /// - Returns: the incident; nil where no entry lacks this proof.
  mutating func prove(_ press: HeardEvent, _ output: inout CoreOutput) -> IncidentID? {
    let proved: ProvedPress?
    if let id = open?.id, let place = open?.prove(press.identity) {
      proved = ProvedPress(incident: id, place: place)
    } else {
      proved = history.prove(press.identity)
    }
    guard let proved else { return nil }
    learn(press)
    output.changes.proofs.append(proved)
    output.changed(proved.incident)
    return proved.incident
  }

  func isOlder(_ press: HeardEvent, than disarmed: IncidentID) -> Bool {
    history[disarmed]?.phase.end.map { age.isOlder(press, than: $0) } ?? false
  }

  /// Ends an open incident that is in the way. A bench incident would keep a live press from every
  /// live notification channel, and an unclaimed one would keep the owner's press from everyone.
  /// Bench traffic never ends a live incident.
  /// The presses of an unclaimed one move to who claims their keychains as long as what has taken
  /// its place is open.
  mutating func giveWay(
    to device: DeviceID, isOwners: Bool, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let open else { return }
    let isOfSameKind = open.isBench == device.isBench
    guard isOfSameKind ? open.isUnclaimed && isOwners : open.isBench else { return }
    end(.gaveWay, at: now, &output)
    if isOfSameKind { givesWay = GivenWay(id: open.id, presses: open.presses) }
  }

  /// False where a bench device presses into a live incident, or an unclaimed keychain into the
  /// owner's: neither may page a person or silence that alarm.
  func mayTouch(_ identity: EventIdentity, _ incident: borrowing Incident) -> Bool {
    (incident.isBench || !identity.deviceID.isBench)
      && (incident.isUnclaimed || owns(identity.deviceID))
  }

  /// A further press of an open incident. Of the presses made out of reach, the first of each
  /// reconnect is told; the others are only counted.
  mutating func pressedAgain(
    _ press: HeardEvent, in incident: inout Incident, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let device = press.identity.deviceID
    if press.isUnproved {
      incident.unprovedAlarms = incident.unprovedAlarms &+ 1
    } else {
      // Only what a keychain may have said itself says whose alarm it is, and where.
      let isFirst =
        incident.trigger != nil && incident.furtherAlarms == 0
        || incident.presses.dropLast().allSatisfy { $0.isProved == false }
      if !isFirst, incident.device != device.rawValue { incident.isOfSeveralKeychains = true }
      incident.device = device.rawValue
      incident.lastPosition = positions[device] ?? incident.lastPosition
    }
    incident.furtherAlarms = incident.furtherAlarms &+ press.covers
    incident.lastPressAt = now
    incident.sounder = true
    incident.addAlias(of: press)
    let isTold =
      press.isOutOfReach && incident.acknowledgedBy.isEmpty && age.isTold(device, in: incident.id)
    if press.isOutOfReach { count(press, in: &incident) }
    guard !endCountdown(of: &incident, at: now, &output), !isTold else { return }
    incident.acknowledgedBy = []
    // Hundreds of keychains in one emergency, or of a stranger's presses, are not hundreds of
    // messages.
    if nextUpdate(of: incident, isUnproved: press.isUnproved).at > now.at {
      incident.owe(press)
    } else {
      incident.owesUpdate = false
      tellEveryone(.update, of: &incident, at: now, &output)
    }
  }

  /// Counts a press that was made out of reach.
  mutating func count(_ press: HeardEvent, in incident: inout Incident) {
    let (sum, overflow) = (incident.outOfReach ?? 0).addingReportingOverflow(press.covers)
    if !overflow { incident.outOfReach = sum }
    age.told(press.identity.deviceID, in: incident.id)
  }

  /// Adds a press that was made before the disarm to the disarmed incident: nobody is alarmed
  /// again.
  mutating func setAside(
    _ press: HeardEvent, _ isAgeUnknown: Bool, in disarmed: IncidentID, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    let isOfEarlierRun = mayBeToldAlready(press)
    let everyone = everyone
    history.change(disarmed, &output) { incident in
      incident.add(press, isAgeUnknown, isSetAside: true)
      guard isOfEarlierRun else { return }
      // An earlier run may have told people of it as an incident of its own: it is closed by that
      // name.
      incident.addAlias(of: press)
      incident.told = everyone.map(\.id)
      incident.messages += 1
      incident.decided(incident.messages + 1, at: now)
    }
    if isOfEarlierRun, let incident = history[disarmed] {
      output.changes.messages += closings(of: incident, at: now)
    }
    output.note(
      AuditEvent(.pressJoined, at: now, of: press.identity, .remark(.setAside)), disarmed)
  }

  /// Forgets the evidence against a keychain: no later press of it counts as older than the last
  /// disarm.
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

  /// Takes a press that means no alarm: it becomes an entry of the open incident.
  /// - Parameter silences: it switches the sounder off, as the command does; the emergency goes on.
  /// - Returns: the incident; nil where none is open.
  mutating func enter(
    _ press: HeardEvent, isAgeUnknown: Bool, silences: Bool, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> IncidentID? {
    learn(press)
    guard var incident = open.take() else { return nil }
    defer { open = incident }
    add(press, isAgeUnknown, to: &incident)
    if mayBeToldAlready(press) { incident.addAlias(of: press) }
    output.note(AuditEvent(.pressAdded, at: now, of: press.identity), incident.id)
    if silences, mayTouch(press.identity, incident) {
      incident.sounder = false
      output.note(AuditEvent(.silenced, at: now, .remark(.byOneClick)), incident.id)
    }
    output.changed(incident.id)
    return incident.id
  }

  /// Takes a fresh position: it goes into the next message, and into the track while people are
  /// told.
  mutating func located(
    _ device: DeviceID, _ position: Position, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard account.mayLocate else { return }
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
