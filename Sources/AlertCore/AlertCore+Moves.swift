public import FobBase
public import WireProtocol

/// Open presses of a keychain go to the account that has claimed it. A process hands in both sides
/// at once: `movedHere`, or the claim, to the one account and `movedAway` to the other. Their
/// batches are one transaction.
extension AlertCore {
  /// The keychains whose presses are in the open incident, or in the one whose place that has
  /// taken, in the order of their first press.
  public var keychainsWithOpenPresses: [DeviceID] {
    guard let open = engine.open else { return [] }
    var seen: Set<DeviceID> = []
    let presses = (open.gaveWay?.presses ?? []) + open.presses
    return presses.map(\.deviceID).filter { seen.insert($0).inserted }
  }

  /// The presses of such a keychain, as another account gets them; nil: it has none.
  /// - Parameters:
  ///   - device: the keychain that was claimed, or is about to be.
  ///   - move: nil: as this account itself gets them.
  public func openPresses(of device: DeviceID, for move: MoveID?) -> MovedPresses? {
    guard let open = engine.open else { return nil }
    let before = open.gaveWay?.presses.filter { $0.deviceID == device } ?? []
    let entries = before + open.presses.filter { $0.deviceID == device }
    guard let first = entries.first else { return nil }
    let isAll = before.isEmpty && open.isOnly(of: device)
    var countdownEnds: Timestamp?
    // A stranger's press is told without one.
    if engine.owns(device), case .open(.countdown(let ends)) = open.phase { countdownEnds = ends }
    let events = commitQueue.known.events(of: device)
    return MovedPresses(
      move: move, device: device, incident: IncidentID(of: first, movedFrom: open.id),
      openedAt: first.receivedAt, countdownEnds: countdownEnds, entries: entries,
      furtherPresses: isAll ? open.furtherPresses : 0, outOfReach: isAll ? open.outOfReach : nil,
      position: engine.positions[device], committed: events.committed, pending: events.pending)
  }

  /// The presses that a move takes to an account, as both accounts say. It takes none where people
  /// are told of them here and nobody would be told there.
  /// - Returns: nil: none moves; and whether some are open and stay for that reason.
  public func openPresses(
    of device: DeviceID, for move: MoveID, to heir: borrowing AlertCore
  ) -> (presses: MovedPresses?, stays: Bool) {
    guard let presses = openPresses(of: device, for: move) else { return (nil, false) }
    let stays = isSomebodyTold(of: device) && !heir.canTell(insteadOf: self)
    return (stays ? nil : presses, stays)
  }

  /// The durable events of a keychain that the account knows: its own, and what others had before
  /// it claimed the keychain.
  public func durableEvents(of device: DeviceID) -> [EventIdentity] {
    commitQueue.known.events(of: device).committed
  }

  /// As `openPresses`, of an incident that is nobody's: for this account's own claim.
  public func unclaimedPresses(of device: DeviceID) -> MovedPresses? {
    engine.open?.isUnclaimed == true ? openPresses(of: device, for: nil) : nil
  }

  /// People are told of a keychain's open presses.
  public func isSomebodyTold(of device: DeviceID) -> Bool {
    guard let open = engine.open, engine.owns(device) else { return false }
    return !engine.recipients(of: open).isEmpty
  }

  /// Of a keychain of the account somebody would be told: a contact that can be reached, or a
  /// channel if `holder` has no contacts either.
  public func canTell(insteadOf holder: borrowing AlertCore) -> Bool {
    guard account.isActive else { return false }
    return account.contacts.contains { engine.ways[$0.id]?.isEmpty == false }
      || (holder.engine.account.contacts.isEmpty && !engine.channels.isEmpty)
  }

  /// No alarm is open, and no press is still to be understood.
  public var isQuiet: Bool { engine.open == nil && !detector.isReading(of: nil) }

  /// The account has decided on its side of a move, which is not durable yet.
  public func isMoving(_ move: MoveID) -> Bool {
    commitQueue.waiting.contains { $0.moves.contains { $0.id == move } }
      || (commitQueue.underWay ?? []).contains { $0.moves.contains { $0.id == move } }
  }

  mutating func take(_ moved: MovedPresses, at now: Timestamp, _ output: inout CoreOutput) {
    if moved.move == nil {
      give(moved.device, nil, at: now, &output)
    } else {
      commitQueue.known.learn(moved.committed)
      for (identity, link) in moved.pending { commitQueue.known.add(identity, from: link) }
    }
    let incident = engine.take(moved, at: now, &output)
    output.changes.moves.append(
      Move(
        id: moved.move, incident: incident,
        pending: moved.move == nil ? [] : Array(moved.pending.keys)))
  }

  mutating func give(
    _ device: DeviceID, _ move: MoveID?, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let incident = engine.give(device, at: now, &output) else { return }
    if let move, book.entries[device]?.link != nil { lights.moved[device] = (incident, move) }
    output.changes.moves.append(Move(id: move, incident: incident, pending: []))
  }
}

extension AlertEngine {
  /// Goes on with presses of a keychain that is the account's now: they open an incident, or are
  /// told as further presses of the open one.
  /// - Returns: the incident.
  mutating func take(
    _ moved: MovedPresses, at now: Timestamp, _ output: inout CoreOutput
  ) -> IncidentID {
    let device = moved.device
    if account.mayLocate, let position = moved.position { positions[device] = position }
    giveWay(to: device, isOwners: owns(device), at: now, &output)
    guard var incident = open.take() else { return raise(moved, at: now, &output) }
    defer { open = incident }
    incident.add(moved)
    note(moved, in: incident.id, at: now, &output)
    guard incident.isBench || !device.isBench else { return incident.id }
    if incident.device != device.rawValue { incident.isOfSeveralKeychains = true }
    incident.device = device.rawValue
    incident.lastPosition = positions[device] ?? incident.lastPosition
    incident.lastPressAt = now
    incident.sounder = true
    incident.acknowledgedBy = []
    if !endCountdown(of: &incident, at: now, &output) {
      tellEveryone(.update, of: &incident, at: now, &output)
    }
    return incident.id
  }

  private mutating func raise(
    _ moved: MovedPresses, at now: Timestamp, _ output: inout CoreOutput
  ) -> IncidentID {
    if history.ended != nil { leave(by: nil, at: now, &output) }
    var incident = Incident(
      moved.incident, of: moved.device, .open(.sending(Stage.Sending(since: now))),
      at: moved.openedAt)
    incident.isUnclaimed = !owns(moved.device)
    incident.add(moved)
    // The first one opens it, the others are further ones.
    incident.furtherAlarms -= moved.entries[0].covers
    incident.lastPosition = positions[moved.device]
    let press = moved.entries[0]
    output.note(
      AuditEvent(.incidentOpened, at: now, number: press.number, of: press.deviceID), incident.id)
    note(moved, in: incident.id, at: now, &output)
    let countdown = moved.countdownEnds?.since(now) ?? .zero
    begin(incident, after: incident.isUnclaimed ? .zero : countdown, at: now, &output)
    return incident.id
  }

  /// Gives up a keychain's presses. An incident that came only of them ends; another one goes on
  /// without them; one that gave way is over, and keeps them.
  /// - Returns: the incident; nil: none of them is open.
  mutating func give(
    _ device: DeviceID, at now: Timestamp, _ output: inout CoreOutput
  ) -> IncidentID? {
    guard open != nil else { return nil }
    let before = open?.gaveWay?.take(pressesOf: device)
    guard let open else { return nil }
    guard let first = open.presses.first(where: { $0.deviceID == device }) else {
      guard let before, let past = open.gaveWay?.id else { return nil }
      output.note(AuditEvent(.pressMoved, at: now, number: before.number, of: device), past)
      output.changed(past)
      output.changed(open.id)
      return past
    }
    output.note(AuditEvent(.pressMoved, at: now, number: first.number, of: device), open.id)
    if open.isOnly(of: device) {
      end(.moved, at: now, &output)
    } else {
      var rest = open
      rest.remove(pressesOf: device, areAlarms: rest.isUnclaimed || owns(device))
      rest.lastPosition = positions[DeviceID(rawValue: rest.device)]
      self.open = rest
      output.changed(rest.id)
    }
    return open.id
  }

  private func note(
    _ moved: MovedPresses, in incident: IncidentID, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let first = moved.entries[0]
    output.note(
      AuditEvent(.pressMoved, at: now, number: first.number, of: moved.device), incident)
    output.changed(incident)
  }
}
