import FobBase
import WireProtocol

/// Records that the store refused, kept in memory so that they are still sent until acked. Their
/// slots are numbered on from the store's.
struct VolatileRecords: Sendable {
  private var records: InlineArray<8, EventRecord?>

  init() { records = InlineArray(repeating: nil) }

  static func holds(_ slot: UInt8) -> Bool { slot >= EventStore.slots }

  var isEmpty: Bool {
    for i in 0..<records.count where records[i] != nil { return false }
    return true
  }

  var isFull: Bool {
    for i in 0..<records.count where records[i] == nil { return false }
    return true
  }

  mutating func keep(_ record: EventRecord) -> UInt8? {
    for i in 0..<records.count where records[i] == nil {
      records[i] = record
      return UInt8(EventStore.slots + i)
    }
    return nil
  }

  subscript(slot: Int) -> EventRecord? {
    get { records[slot - EventStore.slots] }
    set { records[slot - EventStore.slots] = newValue }
  }
}
