import FobBase
import WireProtocol

/// Records that the store refused, kept in memory so that they are still sent until acked. Their
/// slot numbers follow those of the store. Each is kept as an EVENT payload, as in the store.
struct VolatileRecords: Sendable {
  private var bytes = InlineArray<512, UInt8>(repeating: 0)
  /// A bit for each record.
  private var used: UInt8 = 0

  init() {
    precondition(bytes.count == Limits.volatileEvents * EventRecord.maxSize)
    precondition(UInt8.bitWidth == Limits.volatileEvents)
  }

  static func holds(_ slot: UInt8) -> Bool { slot >= EventStore.slots }

  var isEmpty: Bool { used == 0 }
  var isFull: Bool { used == .max }

  @inline(never)
  mutating func keep(_ record: inout StoredRecord) -> UInt8? {
    guard !isFull else { return nil }
    let index = (~used).trailingZeroBitCount
    used |= 1 << UInt8(index)
    withUnsafeMutableBytes(of: &bytes) { all in
      // swift-format-ignore: NeverForceUnwrap
      let place = all.baseAddress! + index * StoredRecord.payloadSize
      record.withBytes {
        // swift-format-ignore: NeverForceUnwrap
        place.copyMemory(from: $0.baseAddress!, byteCount: StoredRecord.payloadSize)
      }
    }
    return UInt8(EventStore.slots + index)
  }

  /// False when there is none. It is mutating so that the record is read where it stands.
  @inline(never)
  mutating func read(_ slot: Int, _ record: inout StoredRecord) -> Bool {
    let index = slot - EventStore.slots
    guard used & 1 << UInt8(index) != 0 else { return false }
    withUnsafeMutableBytes(of: &bytes) { all in
      // swift-format-ignore: NeverForceUnwrap
      let place = all.baseAddress! + index * StoredRecord.payloadSize
      withUnsafeMutableBytes(of: &record.bytes) {
        // swift-format-ignore: NeverForceUnwrap
        $0.baseAddress!.copyMemory(from: place, byteCount: StoredRecord.payloadSize)
      }
    }
    return true
  }

  mutating func clear(_ slot: Int) { used &= ~(1 << UInt8(slot - EventStore.slots)) }
}
