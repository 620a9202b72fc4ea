import FobBase
import WireProtocol

/// Checks each batch that the disk has stored: every press once, in an incident that exists.
extension HostWitness {
  mutating func stored(_ batch: Batch, at now: Instant, _ violationLog: inout ViolationLog) {
    for entry in batch.entries { add(entry, at: now, &violationLog) }
    for (identity, incident) in batch.meanings {
      if let before = disk.settle(identity, in: incident) {
        violationLog.accuse(
          .pressDoubled, at: now,
          "host \(index + 1) moved \(identity.text) from \(before.incident) to \(incident.incident)"
        )
      }
      if incident != 0 { noteGuardedPress(identity, in: incident, at: now) }
    }
    storeErasure(batch, at: now, &violationLog)
    storeCheckIns(batch, at: now, &violationLog)
    if !batch.slots.isEmpty { messages.slotOrder = order }
    messages.stored(batch, at: now, &violationLog)
    checkUnchanged(batch, at: now, &violationLog)
    exercises.stored(batch, at: now, &violationLog)
    reviews.stored(batch, at: now, &violationLog)
    for incident in batch.incidents { put(incident, at: now, &violationLog) }
    if let account = batch.account { disk.put(account, order: order) }
    for entry in batch.entries where entry.incident != 0 {
      checkOpened(entry.incident, entry.event.identity, at: now, &violationLog)
    }
    for (identity, incident) in batch.meanings where incident != 0 {
      checkOpened(incident, identity, at: now, &violationLog)
    }
    if records[standing.incident] != nil { change(standing.incident) { $0.batchStored() } }
  }

  /// The presses that a batch adds to incidents that are over on this disk, with the times of their
  /// ends.
  mutating func endedIncidents(in batch: Batch) -> [(press: EventIdentity, endedAt: Instant)] {
    let entries = batch.entries.filter { $0.event.isPress && $0.incident != 0 }
      .map { ($0.event.identity, $0.incident) }
    let meanings = batch.meanings.filter { $0.identity.kind == .pressed && $0.incident != 0 }
      .map { ($0.identity, $0.incident) }
    return (entries + meanings).compactMap { identity, incident in
      guard let row = disk.rows[incident], !row.state.isOpen,
        let endedAt = records[incident]?.endedAt
      else { return nil }
      return (identity, endedAt)
    }
  }

  private mutating func add(
    _ entry: Batch.Entry, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    let identity = entry.event.identity
    guard disk.add(entry, at: now) else {
      violationLog.accuse(.pressDoubled, at: now, "host \(index + 1) stored \(identity.text) twice")
      return
    }
    guard entry.event.isPress else { return }
    if !hasHeard(identity) {
      violationLog.accuse(
        .pressInvented, at: now, "host \(index + 1) stored \(identity.text) and has never heard it")
    }
    if !rules.isGuarded, entry.incident == 0 {
      violationLog.accuse(
        .incidentNotOpened, at: now, "host \(index + 1) stored \(identity.text) in no incident")
    }
    let heardAt = unstored.removeValue(forKey: identity)
    guard entry.incident != 0 else { return }
    if rules.isGuarded {
      noteGuardedPress(identity, in: entry.incident, at: now)
    } else if let heardAt, account.owns(identity.deviceID) {
      change(entry.incident) { $0.durablePress = max($0.durablePress ?? heardAt, heardAt) }
    }
  }

  /// In `guarded` a press may have prolonged the incident when its meaning became known: no later
  /// than now.
  private mutating func noteGuardedPress(
    _ identity: EventIdentity, in incident: UInt64, at now: Instant
  ) {
    guard rules.isGuarded, identity.kind == .pressed else { return }
    change(incident) { $0.press = TimeRange($0.press?.earliest ?? .longAgo, now) }
  }

  private func checkOpened(
    _ incident: UInt64, _ identity: EventIdentity, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    // A disk that has lied may have had the row.
    guard disk.rows[incident] == nil, disk.lastLie == 0 else { return }
    violationLog.accuse(
      .incidentNotOpened, at: now,
      "host \(index + 1) stored \(identity.text) in \(incident.incident), which is not on its disk")
  }

  private mutating func put(
    _ incident: Batch.Incident, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    checkKnown(incident.name, at: now, &violationLog)
    let before = disk.rows[incident.name]?.state
    let doubled = disk.put(incident, order: order, numbered: heardNumbers)
    if let doubled {
      violationLog.accuse(
        .pressDoubled, at: now,
        "host \(index + 1) lists press \(doubled.text) twice, last in \(incident.name.incident)")
    }
    if incident.name == standing.incident { rebaseStored() }
    if before == nil, records[incident.name]?.opened?.run != run { noteOwner(of: incident.name) }
    if before != incident.state { noteUnseen(incident, at: now) }
  }

  /// The disk has a state that was not told: the core was killed in between, or is about to tell
  /// it. The state began in this run, no later than now.
  private mutating func noteUnseen(_ incident: Batch.Incident, at now: Instant) {
    let begin = IncidentRecord.Begin(at: TimeRange(startedAt, now), run: run)
    let run = run
    let countdown = countdown(of: incident.name)
    change(incident.name) {
      switch incident.state {
      case .alertCountdown where $0.opened?.run != run:
        $0.opened = begin
        $0.countdownEnds = begin.at + countdown
      case .emergencySending where $0.sending?.run != run: $0.sending = begin
      case .emergencySent where $0.sent?.run != run: $0.sent = begin
      default: break
      }
    }
  }
}
