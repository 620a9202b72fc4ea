import FobBase
import WireProtocol

/// Records that the store refused, kept in memory so that they are still sent until acked. Their
/// slots are numbered on from the store's. Each is kept as EVENT payload, as in the store.
struct VolatileRecords: Sendable {
  private var bytes = InlineArray<512, UInt8>(repeating: 0)
  /// A bit for each record.
  private var used: UInt8 = 0

  init() {
    precondition(bytes.count == Limits.volatileEvents * EventRecord.longestSize)
    precondition(UInt8.bitWidth == Limits.volatileEvents)
  }

  static func holds(_ slot: UInt8) -> Bool { slot >= EventStore.slots }

  var isEmpty: Bool { used == 0 }
  var isFull: Bool { used == .max }

  mutating func keep(_ record: EventRecord) -> UInt8? {
    let index = (~used).trailingZeroBitCount
    guard index < Limits.volatileEvents else { return nil }
    used |= 1 << UInt8(index)
    var body = FrameBody()
    record.write(to: &body)
    withUnsafeMutableBytes(of: &bytes) { place in
      body.withBytesInPlace {
        UnsafeMutableRawBufferPointer(rebasing: place[(index * EventRecord.longestSize)...])
          .copyMemory(from: $0)
      }
    }
    return UInt8(EventStore.slots + index)
  }

  /// Mutating, so that it is read where it stands.
  mutating func record(in slot: Int) -> EventRecord? {
    let index = slot - EventStore.slots
    guard used & 1 << UInt8(index) != 0 else { return nil }
    let start = index * EventRecord.longestSize
    return withUnsafeMutableBytes(of: &bytes) {
      EventRecord(
        UnsafeRawBufferPointer(rebasing: $0[start..<start + EventRecord.longestSize]))
    }
  }

  mutating func clear(_ slot: Int) { used &= ~(1 << UInt8(slot - EventStore.slots)) }
}
