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
    for slot in 0..<EventStore.slots {
      guard let record = EventStore.read(slot: slot, &board), let kind = record.identity.kind
      else { continue }
      let number = record.identity.number
      let isCovered = merged.map { Self.covers($0, record) } ?? false
      if isCovered || unacked.isFull {
        _ = EventStore.clear(slot: slot, &board)
      } else {
        unacked.add(number, kind, slot: UInt8(slot), at: now, sent: false)
      }
    }
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
    guard isStoreFailing else { return }
    if owesLoad { load(&board, at: board.now()) }
    guard !owesLoad else { return }
    for i in 0..<unacked.count where VolatileRecords.holds(unacked[i].slot) {
      let entry = unacked[i]
      guard var record = memory[Int(entry.slot)] else { continue }
      record.flags.remove(.volatile)
      let slot = freeSlot()
      guard EventStore.write(record, slot: slot, &board) else { return }
      memory[Int(entry.slot)] = nil
      unacked.move(at: i, toSlot: UInt8(slot))
    }
    isStoreFailing =
      !EventStore.isReadable(&board) || !EventStore.writeBoot(bootCounter, &board)
  }
}
