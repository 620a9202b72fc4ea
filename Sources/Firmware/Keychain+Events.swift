import FobBase
import NMEA
import WireProtocol

/// Events are numbered, stored, sent, and kept until they are acked. Storing comes before sending;
/// a store that fails never stops the sending.
extension Keychain {
  /// Makes an event of something that began at `clock`.
  @inline(never)
  mutating func commit<B: Board>(
    _ kind: EventKind, at clock: Instant, detail: UInt8 = 0, flags: EventRecord.Flags = .none,
    _ board: inout B
  ) {
    var record = StoredRecord()
    begin(&record, kind, at: clock, detail: detail, flags: flags, &board)
    record.setCommitDelta(to: board.now())
    let slot = keep(&record, &board)
    record.setCommitDelta(to: board.now())
    let number = record.number
    let committed = board.now()
    if slot != nil { trace.note(.eventCommitted, number.rawValue, at: committed) }
    let wasSent = send(&record, at: committed, resent: false)
    if let slot {
      unacked.add(number, kind, slot: slot, at: committed, sent: wasSent)
    } else {
      counts.evictedEvents &+= 1
    }
    transmit.drain(into: &board)
    if wasSent { trace.note(.eventWritten, number.rawValue, at: board.now()) }
  }

  /// False where the transmit ring had no room: the event is sent again later.
  @inline(never)
  private mutating func send(
    _ record: inout StoredRecord, at now: Instant, resent: Bool
  ) -> Bool {
    var body = FrameBody()
    link.begin(&body, .event, at: now, resent: resent)
    record.write(to: &body)
    link.seal(&body, at: now)
    return transmit.append(&body)
  }

  /// Sends again what is due of the unacked events, those of earlier boots included.
  mutating func sendAgain<B: Board>(_ board: inout B) {
    transmit.drain(into: &board)
    var record = StoredRecord()
    while transmit.isEmpty, let entry = unacked.nextResend(at: board.now()) {
      guard read(Int(entry.slot), &record, &board) else {
        noteStoreFailure(&board)
        return
      }
      if entry.number.boot != bootCounter { record.flags.insert(.replayed) }
      let now = board.now()
      guard send(&record, at: now, resent: entry.wasSent) else { return }
      transmit.drain(into: &board)
      if !entry.wasSent { trace.note(.eventWritten, entry.number.rawValue, at: board.now()) }
    }
  }

  /// Forgets the event that a core has committed. An ack whose CRC differs is for another event:
  /// two may have one number, where a boot could not be counted.
  mutating func forget<B: Board>(_ ack: EventAck, _ board: inout B) {
    var record = StoredRecord()
    for index in 0..<unacked.count where unacked[index].number == ack.number {
      let slot = Int(unacked[index].slot)
      guard read(slot, &record, &board), record.identityCRC == ack.identityCRC else { continue }
      unacked.remove(at: index)
      release(slot, &board)
      trace.note(.eventAcked, ack.number.rawValue, at: board.now())
      return
    }
  }

  /// Makes the events that had to wait for room, or for the replays before them.
  mutating func settleDebts<B: Board>(_ board: inout B) {
    let now = board.now()
    if owed.boot {
      owed.boot = false
      commit(.booted, at: now, detail: board.resetCause.rawValue, &board)
    }
    while !unacked.isFull, let fault = owed.takeFault() {
      commit(.fault, at: now, detail: fault.rawValue, &board)
    }
  }

  @inline(never)
  private mutating func begin<B: Board>(
    _ stored: inout StoredRecord, _ kind: EventKind, at clock: Instant, detail: UInt8,
    flags: EventRecord.Flags, _ board: inout B
  ) {
    lastNumber &+= 1
    var record = EventRecord(
      EventIdentity(
        deviceID: board.deviceID, number: EventNumber(boot: bootCounter, n: lastNumber),
        kind: kind, clock: UInt64(bitPattern: clock.microseconds), bootNonce: board.bootNonce))
    record.flags = flags
    record.detail = detail
    record.millivolts = battery.millivolts
    record.batteryPercent = battery.percent
    record.position = Self.position(
      of: gps.fix, quality: Self.quality(gps.quality(at: board.now())), at: board.now())
    stored.set(record)
  }

  /// Finds a place for the record and writes it there. Nil when presses fill every place and this
  /// is none: it is then sent once and not kept.
  private mutating func keep<B: Board>(
    _ record: inout StoredRecord, _ board: inout B
  ) -> UInt8? {
    if unacked.isFull && !evict(&board) {
      guard record.isPress else {
        record.flags.insert(.volatile)
        return nil
      }
      return merge(&record, &board)
    }
    if let slot = store(&record, &board) { return slot }
    noteStoreFailure(&board)
    record.flags.insert(.volatile)
    if let slot = memory.keep(&record) { return slot }
    if evict(inMemory: true, &board) { return memory.keep(&record) }
    guard record.isPress else { return nil }
    return merge(&record, inMemory: true, &board)
  }

  private mutating func store<B: Board>(
    _ record: inout StoredRecord, _ board: inout B
  ) -> UInt8? {
    guard !owesLoad else { return nil }
    guard let slot = freeSlot(&board) else { return nil }
    return EventStore.write(&record, slot: slot, &board) ? UInt8(slot) : nil
  }

  /// The store has one slot more than events are kept, so one is unused. After trouble with the
  /// store, an unused slot may still hold a press: one that waits for its place, or one that a
  /// merged press in memory stands for. Such a press is not written over.
  mutating func freeSlot<B: Board>(_ board: inout B) -> Int? {
    var held = StoredRecord()
    for slot in 0..<EventStore.slots where !unacked.uses(slot: UInt8(slot)) {
      guard isStoreFailing || hasUnloaded || !memory.isEmpty,
        EventStore.read(slot: slot, &held, &board), held.isPress
      else { return slot }
    }
    return nil
  }

  /// Gives up the oldest event that is neither press nor release, else the oldest release; false
  /// when there is none.
  /// - Parameter inMemory: gives up only an event that lies in memory.
  @inline(never)
  mutating func evict<B: Board>(inMemory: Bool = false, _ board: inout B) -> Bool {
    let least = inMemory ? UInt8(EventStore.slots) : 0
    let victim =
      oldest(released: false, from: least) ?? oldest(released: true, from: least)
    guard let victim else { return false }
    release(Int(unacked.remove(at: victim).slot), &board)
    counts.evictedEvents &+= 1
    return true
  }

  @inline(never)
  private mutating func oldest(released: Bool, from slot: UInt8) -> Int? {
    unacked.oldest {
      $0.kind != .pressed && ($0.kind == .released) == released && $0.slot >= slot
    }
  }

  /// Presses fill every place: the new one takes over the newest of them and stands for both.
  @inline(never)
  private mutating func merge<B: Board>(
    _ record: inout StoredRecord, inMemory: Bool = false, _ board: inout B
  ) -> UInt8? {
    let least = inMemory ? UInt8(EventStore.slots) : 0
    guard let last = unacked.newest(where: { $0.kind == .pressed && $0.slot >= least }) else {
      return nil
    }
    let old = unacked[last]
    takeOver(old, &record, &board)
    let written = VolatileRecords.holds(old.slot) ? nil : store(&record, &board)
    if written == nil { noteStoreFailure(&board) }
    if written == nil && memory.isFull && !VolatileRecords.holds(old.slot) {
      return merge(&record, inMemory: true, &board)
    }
    unacked.remove(at: last)
    // The old record is cleared only once the store has the new one. The next boot at the latest
    // clears it: it finds both.
    if written != nil || VolatileRecords.holds(old.slot) { release(Int(old.slot), &board) }
    counts.mergedPresses &+= 1
    owed.add(.pressesMerged)
    if let written { return written }
    record.flags.insert(.volatile)
    return memory.keep(&record)
  }

  /// Lets `record` stand for what `last` stands for, and itself. Where the old record cannot be
  /// read, memory knows: it is the last merged press, or stands for itself.
  private mutating func takeOver<B: Board>(
    _ last: UnackedEvents.Entry, _ record: inout StoredRecord, _ board: inout B
  ) {
    var before = lastMerge.number == last.number ? lastMerge : Merge(number: last.number)
    var old = StoredRecord()
    if read(Int(last.slot), &old, &board), old.flags.contains(.merged) {
      before = Merge(number: last.number, first: old.firstCovered, covered: old.covered)
    }
    record.flags.insert(.merged)
    record.firstCovered = before.first
    record.covered = before.covered == .max ? .max : before.covered + 1
    lastMerge = Merge(
      number: record.number, first: record.firstCovered, covered: record.covered)
  }
}
