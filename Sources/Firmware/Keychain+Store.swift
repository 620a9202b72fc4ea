public import FobBase
public import WireProtocol

/// The store: counting boots, loading what nobody acked, and mending what the store refused.
extension Keychain {
  mutating func countBoot<B: Board>(_ board: inout B) {
    let last = EventStore.lastBoot(&board)
    var newest: UInt32 = 0
    for slot in 0..<EventStore.slots {
      if let record = EventStore.read(slot: slot, &board) {
        newest = max(newest, record.identity.number.boot)
      }
    }
    if last == nil && !EventStore.isBlank(&board) { owed.add(.bootCounterLost) }
    bootCounter = max(last ?? 0, newest) &+ 1
    if !EventStore.writeBoot(bootCounter, &board) { noteStoreFailure(&board) }
  }

  /// Takes up the events that earlier boots stored and nobody acked.
  mutating func load<B: Board>(_ board: inout B, at now: Instant) {
    owesLoad = !EventStore.isReadable(&board)
    guard !owesLoad else {
      noteStoreFailure(&board)
      return
    }
    let merged = newestMerged(&board)
    if let merged {
      lastMerge = Merge(
        number: merged.identity.number, first: merged.firstCovered, covered: merged.covered)
    }
    hasUnloaded = false
    for slot in 0..<EventStore.slots where !unacked.uses(slot: UInt8(slot)) {
      guard let record = EventStore.read(slot: slot, &board), let kind = record.identity.kind
      else { continue }
      let isCovered = merged.map { Self.covers($0, record) } ?? false
      if isCovered || !hasRoom(for: kind, &board) {
        _ = EventStore.clear(slot: slot, &board)
      } else if unacked.isFull {
        hasUnloaded = true
      } else {
        unacked.add(record.identity.number, kind, slot: UInt8(slot), at: now, sent: false)
      }
    }
  }

  /// Events of this boot, made while the store could not be read, may have taken the places: then a
  /// press waits in the store until one is acked, and anything else gives way.
  private mutating func hasRoom<B: Board>(for kind: EventKind, _ board: inout B) -> Bool {
    guard unacked.isFull else { return true }
    guard kind == .pressed else { return false }
    _ = evict(where: { _ in true }, &board)
    return true
  }

  /// Whether `merged` took `record` over: then both stand for the same first press.
  private static func covers(_ merged: EventRecord, _ record: EventRecord) -> Bool {
    let number = record.identity.number
    let first = record.flags.contains(.merged) ? record.firstCovered : number
    return record.identity.kind == .pressed && first == merged.firstCovered
      && number < merged.identity.number
  }

  /// Power may have gone between writing a merged press and clearing the one that it stands for.
  private func newestMerged<B: Board>(_ board: inout B) -> EventRecord? {
    var newest: EventRecord?
    for slot in 0..<EventStore.slots {
      guard let record = EventStore.read(slot: slot, &board), record.flags.contains(.merged)
      else { continue }
      if newest.map({ record.identity.number > $0.identity.number }) ?? true { newest = record }
    }
    return newest
  }

  /// An event that is still kept; nil once it is acked, or when the store fails.
  public func record<B: Board>(of number: EventNumber, _ board: inout B) -> EventRecord? {
    unacked.index(of: number).flatMap { record(in: Int(unacked[$0].slot), &board) }
  }

  func record<B: Board>(in slot: Int, _ board: inout B) -> EventRecord? {
    VolatileRecords.holds(UInt8(slot)) ? memory[slot] : EventStore.read(slot: slot, &board)
  }

  mutating func release<B: Board>(_ slot: Int, _ board: inout B) {
    if VolatileRecords.holds(UInt8(slot)) {
      memory[slot] = nil
    } else if !EventStore.clear(slot: slot, &board) {
      noteStoreFailure(&board)
    }
  }

  mutating func noteStoreFailure<B: Board>(_ board: inout B) {
    trace.note(.storeFailed, at: board.now())
    guard !isStoreFailing else { return }
    isStoreFailing = true
    owed.add(.storeFailed)
  }

  /// Each second: what the store refused is offered to it again.
  mutating func storeAgain<B: Board>(_ board: inout B) {
    if owesLoad || hasUnloaded && !unacked.isFull { load(&board, at: board.now()) }
    guard isStoreFailing, !owesLoad else { return }
    for i in 0..<unacked.count where VolatileRecords.holds(unacked[i].slot) {
      let entry = unacked[i]
      guard var record = memory[Int(entry.slot)] else { continue }
      record.flags.remove(.volatile)
      let slot = freeSlot(&board)
      guard EventStore.write(record, slot: slot, &board) else { return }
      memory[Int(entry.slot)] = nil
      unacked.move(at: i, toSlot: UInt8(slot))
    }
    isStoreFailing =
      !EventStore.isReadable(&board) || !EventStore.writeBoot(bootCounter, &board)
  }
}
