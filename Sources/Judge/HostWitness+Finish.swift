import FobBase
import WireProtocol

/// Checks at the end of a world.
extension HostWitness {
  func finish(
    at now: Instant, calm: Instant?, _ keychains: [KeychainWitness],
    _ violationLog: inout ViolationLog
  ) {
    // A host that is down can mend nothing; in a calm world none is down.
    guard isRunning, let calm else { return }
    let since = max(calm, startedAt)
    checkMeanings(since: since, at: now, keychains, &violationLog)
    if standing.state.isTold, let record = current {
      checkTold(record, standing.incident, calm: calm, at: now, &violationLog)
    }
    for request in requests.unanswered(since: now - Rules.answer)
    where now - since >= Rules.answer {
      violationLog.accuse(
        .answerMissing, at: now, "host \(index + 1) never answered request \(request.number)")
    }
    guard now - since >= Rules.startUp else { return }
    if now - since >= rules.settleWithin {
      exercises.finish(at: now, &violationLog)
      messages.finish(
        run: run, at: now, isTried: { now - $0 <= Rules.silence + Rules.backOff }, &violationLog)
    }
    for (name, record) in records.sorted(by: { $0.key < $1.key }) {
      for (contact, told) in record.contacts.enumerated() {
        checkEnd(of: name, contact, told, at: now, &violationLog)
        checkDelivered(name, told, at: now, &violationLog)
      }
    }
  }

  // MARK: Meanings

  private func checkMeanings(
    since: Instant, at now: Instant, _ keychains: [KeychainWitness],
    _ violationLog: inout ViolationLog
  ) {
    guard rules.isGuarded else { return }
    let presses = disk.entries.values.filter(\.event.isPress)
    for entry in presses.sorted(by: { $0.event.identity.isBefore($1.event.identity) }) {
      let identity = entry.event.identity
      if entry.isOpen {
        // An edge waits for the next one, and a failed commit is tried again each second: so twice
        // the time.
        guard max(since, entry.storedAt) + Rules.reading + Rules.reading <= now else { continue }
        violationLog.accuse(
          .incidentNotOpened, at: now, "host \(index + 1) has not read \(identity.text)")
      } else if entry.incident == 0, let why = whyAlarm(entry, keychains) {
        violationLog.accuse(
          .incidentNotOpened, at: now,
          "host \(index + 1) has \(identity.text) in no incident, though \(why)")
      }
    }
  }

  private func whyAlarm(_ entry: DiskRecord.Entry, _ keychains: [KeychainWitness]) -> String? {
    if entry.event.flags.contains(.atBoot) { return "it was held at boot" }
    if entry.event.flags.contains(.merged) { return "it stands for several" }
    if let why = whyClicks(entry, keychains) { return why }
    // A clock that jumps during a hold makes it seem shorter.
    guard rules.isKeychainClockSteady else { return nil }
    let isHeld = keychains.contains {
      $0.wasHeld(entry.event.identity, storedAt: entry.storedAt)
    }
    return isHeld ? "it was held for 0.5 s" : nil
  }

  // MARK: People

  /// A contact who was told of an incident is told of its end, unless another incident is being
  /// told.
  private func checkEnd(
    of name: UInt64, _ contact: Int, _ record: ContactRecord, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    guard record.lastHanded > record.closed, !isTold else { return }
    // Nobody here knows a press that was lost with its commit and never came again; a disk that
    // lied has lost who was told.
    guard let owner = owner(of: name), disk.lastLie < record.firstHanded else { return }
    // Only in profile `guarded`: the press was told in doubt, forgotten by a crash while the disk
    // failed, and read as no alarm when it came again.
    guard owner != 0 else { return }
    // It was told by a run whose commits a bad disk lost, perhaps with the login, the claim or the
    // contact's entry: when the press came again it was unclaimed, or no longer that contact's.
    if let came = records[owner], came.isUnclaimed || !came.contacts[contact].isRecipient { return }
    if owner != name, let press = names[name], strangers.contains(press) { return }
    let isUnderWay =
      record.isBeingTried(at: now)
      || records[owner].map { $0.contacts[contact].isBeingTried(at: now) } ?? false
      || [name, owner].contains {
        records[$0]?.endedAt.map { now - $0 < Rules.startUp } ?? false
      }
    guard !isUnderWay else { return }
    violationLog.accuse(
      .endNotTold, at: now,
      "host \(index + 1) told contact \(contact + 1) of \(name.incident), and not of its end")
  }

  /// The incident on the disk that has the press or trigger of this name; 0: it is in none; nil:
  /// unknown.
  private func owner(of name: UInt64) -> UInt64? {
    if let press = names[name] { return disk.entries[press]?.incident }
    return disk.rows[name] == nil ? nil : name
  }

  /// Whether this is the open incident or another name of it.
  func isOpen(_ name: UInt64) -> Bool {
    guard standing.state.isOpen else { return false }
    if name == standing.incident { return true }
    return names[name].flatMap { disk.entries[$0]?.incident } == standing.incident
  }

  /// A message that was handed out must be told or tried again.
  private func checkDelivered(
    _ name: UInt64, _ record: ContactRecord, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    // Messages of an earlier run went with it, unless they were stored: then this run has handed
    // them out, too.
    guard let last = record.last, last.run == run, last.outcome != .told,
      !record.isBeingTried(at: now)
    else { return }
    // Only the closing message is left of an ended incident, and it waits while another incident is
    // told.
    guard last.message.kind == .closing ? !isTold : isOpen(name) else { return }
    violationLog.accuse(
      .notDeliveredInTime, at: now, "host \(index + 1) gave up \(last.message.text)")
  }
}
