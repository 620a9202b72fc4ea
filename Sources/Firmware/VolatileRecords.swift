import FobBase
import WireProtocol

/// Records that the store refused, kept in memory so that they are still sent until acked. Their
/// slots are numbered on from the store's.
struct VolatileRecords: Sendable {
  private var records: InlineArray<8, EventRecord?>
  private var used = 0

  init() {
    records = InlineArray(repeating: nil)
    precondition(records.count == Limits.volatileEvents)
  }

  static func holds(_ slot: UInt8) -> Bool { slot >= EventStore.slots }

  var isEmpty: Bool { used == 0 }
  var isFull: Bool { used == Limits.volatileEvents }

  mutating func keep(_ record: EventRecord) -> UInt8? {
    for i in 0..<records.count where records[i] == nil {
      records[i] = record
      used += 1
      return UInt8(EventStore.slots + i)
    }
    return nil
  }

  /// Mutating, so that it is read where it stands.
  mutating func record(in slot: Int) -> EventRecord? { records[slot - EventStore.slots] }

  mutating func clear(_ slot: Int) {
    guard records[slot - EventStore.slots] != nil else { return }
    records[slot - EventStore.slots] = nil
    used -= 1
  }
}
