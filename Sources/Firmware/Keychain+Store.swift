public import FobBase
public import WireProtocol

/// The store: boots are counted, unacked events loaded, and records that the store refused offered
/// to it again.
extension Keychain {
  mutating func countBoot<B: Board>(_ board: inout B) {
    let last = EventStore.lastBoot(&board)
    if last == nil && !EventStore.isBlank(&board) { owed.add(.bootCounterLost) }
    bootCounter = max(last ?? 0, Self.newestBoot(&board)) &+ 1
    if !EventStore.writeBoot(bootCounter, &board) { noteStoreFailure(&board) }
  }

  @inline(never)
  private static func newestBoot<B: Board>(_ board: inout B) -> UInt32 {
    var newest: UInt32 = 0
    var record = StoredRecord()
    for slot in 0..<EventStore.slots where EventStore.read(slot: slot, &record, &board) {
      newest = max(newest, record.number.boot)
    }
    return newest
  }

  /// Loads the events that earlier boots stored and nobody acked.
  @inline(never)
  mutating func load<B: Board>(_ board: inout B, at now: Instant) {
    owesLoad = !EventStore.isReadable(&board)
    guard !owesLoad else {
      noteStoreFailure(&board)
      return
    }
    loadPairing(&board)
    let stored = Self.newestMerge(&board)
    if stored.number > lastMerge.number { lastMerge = stored }
    hasUnloaded = false
    var record = StoredRecord()
    for slot in 0..<EventStore.slots where !unacked.uses(slot: UInt8(slot)) {
      guard EventStore.read(slot: slot, &record, &board), let kind = record.kind
      else { continue }
      let isCovered = stored.covers(&record)
      if !isCovered && lastMerge.covers(&record) { continue }
      if isCovered || !hasRoom(for: kind, &board) {
        _ = EventStore.clear(slot: slot, &board)
      } else if unacked.isFull {
        hasUnloaded = true
      } else {
        unacked.add(record.number, kind, slot: UInt8(slot), at: now, sent: false)
      }
    }
  }

  /// Whether a stored event is to be loaded, or to wait for a place. Events of this boot, made
  /// while the store could not be read, may have taken all places. A press then takes the place of
  /// an event that is none, or waits in the store until one is acked; any other event is given up.
  private mutating func hasRoom<B: Board>(for kind: EventKind, _ board: inout B) -> Bool {
    guard unacked.isFull else { return true }
    guard kind == .pressed else { return false }
    _ = evict(&board)
    return true
  }

  /// The newest merged press in the store. Power may have gone between writing it and clearing the
  /// one that it stands for.
  private static func newestMerge<B: Board>(_ board: inout B) -> Merge {
    var newest = Merge(number: .none)
    var record = StoredRecord()
    for slot in 0..<EventStore.slots where EventStore.read(slot: slot, &record, &board) {
      guard record.flags.contains(.merged), record.number > newest.number else { continue }
      newest = Merge(
        number: record.number, first: record.firstCovered, covered: record.covered)
    }
    return newest
  }

  /// The record of an event that is still kept; nil once it is acked, or when the store fails.
  public mutating func record<B: Board>(of number: EventNumber, _ board: inout B) -> EventRecord? {
    guard let index = unacked.index(of: number) else { return nil }
    return record(in: Int(unacked[index].slot), &board)
  }

  mutating func record<B: Board>(in slot: Int, _ board: inout B) -> EventRecord? {
    var record = StoredRecord()
    return read(slot, &record, &board) ? record.record : nil
  }

  /// False when the store fails.
  @inline(never)
  mutating func read<B: Board>(
    _ slot: Int, _ record: inout StoredRecord, _ board: inout B
  ) -> Bool {
    VolatileRecords.holds(UInt8(slot))
      ? memory.read(slot, &record) : EventStore.read(slot: slot, &record, &board)
  }

  @inline(never)
  mutating func release<B: Board>(_ slot: Int, _ board: inout B) {
    if VolatileRecords.holds(UInt8(slot)) {
      memory.clear(slot)
    } else if !EventStore.clear(slot: slot, &board) {
      noteStoreFailure(&board)
    }
  }

  @inline(never)
  mutating func noteStoreFailure<B: Board>(_ board: inout B) {
    trace.note(.storeFailed, at: board.now())
    guard !isStoreFailing else { return }
    isStoreFailing = true
    owed.add(.storeFailed)
  }

  /// Loads a store that could not be read at boot. It may know of later boots than this one counted
  /// from: the next events are then numbered in a boot behind those.
  private mutating func loadLate<B: Board>(_ board: inout B) {
    load(&board, at: board.now())
    guard !owesLoad else { return }
    let before = max(EventStore.lastBoot(&board) ?? 0, Self.newestBoot(&board))
    if bootCounter <= before { bootCounter = before &+ 1 }
  }

  /// Offers records that the store refused to it again, each second.
  mutating func storeAgain<B: Board>(_ board: inout B) {
    if owesLoad {
      loadLate(&board)
    } else if hasUnloaded && !unacked.isFull {
      load(&board, at: board.now())
    }
    guard isStoreFailing || !memory.isEmpty, !owesLoad else { return }
    var record = StoredRecord()
    for i in 0..<unacked.count {
      let held = Int(unacked[i].slot)
      guard VolatileRecords.holds(UInt8(held)), memory.read(held, &record) else { continue }
      record.flags.remove(.volatile)
      guard let slot = freeSlot(&board) else { break }
      guard EventStore.write(&record, slot: slot, &board) else { return }
      memory.clear(held)
      unacked.move(at: i, toSlot: UInt8(slot))
    }
    isStoreFailing =
      !EventStore.isReadable(&board) || !EventStore.writeBoot(bootCounter, &board)
  }
}
