import FobBase

/// An account that its owner erases: once that is durable nothing of it comes back, and nobody is
/// told anything.
extension HostWitness {
  /// The core has erased it, whether or not the disk knows: contacts whom it told of an alarm hear
  /// no end.
  mutating func accountErased(at now: Instant) {
    let order = order
    for name in records.keys {
      change(name) { record in
        for index in record.contacts.indices {
          record.contacts[index].closed = order
          record.contacts[index].last = nil
        }
      }
    }
    forgetOwedWays()
    untoldBy = nil
    exercises.erased(at: now)
  }

  /// The commit that erases the account takes every row that stands beside it.
  mutating func storeErasure(
    _ batch: Batch, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    if batch.account?.exists == false, disk.account?.exists != false {
      accountErased(at: now)
      found(Batch(), at: now)
      checkIns.owed = [:]
      checkIns.pending = []
      (checkIns.seriesOrder, messages.slotOrder) = (order, order)
    }
    if isErased, batch.isOfOwner { accuseErased("new rows", at: now, &violationLog) }
  }

  /// The disk has only this of what stands beside the alarm.
  mutating func found(_ found: Batch, at now: Instant) {
    checkIns.found(found, at: now)
    messages.found(found, at: now)
    exercises.found(found)
    reviews.found(found)
  }

  /// Disk and core were looked through.
  func hasOfOwner(_ rows: [String], at now: Instant, _ violationLog: inout ViolationLog) {
    guard isErased, !rows.isEmpty else { return }
    accuseErased(rows.joined(separator: ", "), at: now, &violationLog)
  }

  func accuseErased(_ what: String, at now: Instant, _ violationLog: inout ViolationLog) {
    violationLog.accuse(
      .erasedComesBack, at: now, "host \(index + 1) has \(what) of an account that is erased")
  }
}

extension Batch {
  /// Whether it writes a row of what an owner has entered.
  fileprivate var isOfOwner: Bool {
    !series.isEmpty || !checkIns.isEmpty || slots.contains { $0.contact != nil } || !sends.isEmpty
      || session != nil || breathing.map { $0 != BreathingRecord() } ?? false || !reviews.isEmpty
      || affirmations > 0
  }
}
