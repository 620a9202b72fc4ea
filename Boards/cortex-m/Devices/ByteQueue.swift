/// Bytes from an interrupt to the main loop. The count of bytes ever put in and taken out wraps;
/// `capacity` is a power of two.
struct ByteQueue<let capacity: Int> {
  private var bytes: InlineArray<capacity, UInt8> = InlineArray(repeating: 0)
  private var put: UInt32 = 0
  private var taken: UInt32 = 0

  var count: Int { Int(put &- taken) }
  var isEmpty: Bool { put == taken }
  var isFull: Bool { count == capacity }

  mutating func append(_ byte: UInt8) {
    bytes[Int(put) & (capacity - 1)] = byte
    put &+= 1
  }

  mutating func removeFirst() -> UInt8 {
    defer { taken &+= 1 }
    return bytes[Int(taken) & (capacity - 1)]
  }
}
