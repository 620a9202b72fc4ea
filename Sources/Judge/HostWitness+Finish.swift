import FobBase
import WireProtocol

/// What must be in order when a world is over.
extension HostWitness {
  func finish(
    at now: Instant, calm: Instant?, _ keychains: [KeychainWitness],
    _ violationLog: inout ViolationLog
  ) {
    // A host that is down can mend nothing, and in a calm world none is.
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
        // An edge waits for the next one; a commit that failed is tried again each second.
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
    // A clock that jumps in a hold says that it was shorter.
    guard rules.isKeychainClockSteady else { return nil }
    let isHeld = keychains.contains {
      $0.wasHeld(entry.event.identity, storedAt: entry.storedAt)
    }
    return isHeld ? "it was held for 0.5 s" : nil
  }

  // MARK: People

  /// Who was told of an incident is told of its end, once they are told of no other.
  private func checkEnd(
    of name: UInt64, _ contact: Int, _ record: ContactRecord, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    guard record.lastHanded > record.closed, !isTold else { return }
    // A press that was lost with its commit and never came again is known to nobody here; a disk
    // that lied has lost who was told.
    guard let owner = owner(of: name), disk.lastLie < record.firstHanded else { return }
    // Profile `guarded` alone: told in doubt, forgotten by a crash with a disk that failed, and
    // read as no alarm when the press came again.
    guard owner != 0 else { return }
    // Told by a run whose commits a bad disk had lost, the login among them or a contact's entry:
    // what came again then was unclaimed, or no more that contact's.
    if let came = records[owner], came.isUnclaimed || !came.contacts[contact].isRecipient { return }
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

  /// The incident in which what had this name stands on the disk; 0: in none.
  private func owner(of name: UInt64) -> UInt64? {
    if let press = names[name] { return disk.entries[press]?.incident }
    return disk.rows[name] == nil ? nil : name
  }

  /// It is the open incident, or another name of it.
  func isOpen(_ name: UInt64) -> Bool {
    guard standing.state.isOpen else { return false }
    if name == standing.incident { return true }
    return names[name].flatMap { disk.entries[$0]?.incident } == standing.incident
  }

  /// What was handed out was told, or is tried again.
  private func checkDelivered(
    _ name: UInt64, _ record: ContactRecord, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    // What an earlier run handed out went with it, unless it was stored: then this run did, too.
    guard let last = record.last, last.run == run, last.outcome != .told,
      !record.isBeingTried(at: now)
    else { return }
    // Of an incident that is over all but the end is withdrawn, and that waits for the end of
    // another.
    guard last.message.kind == .closing ? !isTold : isOpen(name) else { return }
    violationLog.accuse(
      .notDeliveredInTime, at: now, "host \(index + 1) gave up \(last.message.text)")
  }
}
