/// Bytes in order of arrival. It has no limit: callers check their own before they append.
struct ByteQueue: Sendable {
  private static let maxForgotten = 65_536

  private var bytes: [UInt8] = []
  /// How many bytes at the front of `bytes` are removed already.
  private var gone = 0

  var count: Int { bytes.count - gone }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ new: UnsafeRawBufferPointer) { bytes += new }

  mutating func append(_ new: ArraySlice<UInt8>) { bytes += new }

  mutating func appendNetwork(_ value: UInt32) { bytes.appendNetwork(value) }

  mutating func appendZeros(_ count: Int) { bytes += repeatElement(0, count: count) }

  func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { read(UnsafeRawBufferPointer(rebasing: $0[gone...])) }
  }

  mutating func removeFirst(_ count: Int) {
    precondition(count <= self.count, "no more can go on than waits")
    gone += count
    if gone == bytes.count {
      removeAll()
    } else if gone >= Self.maxForgotten {
      bytes.removeFirst(gone)
      gone = 0
    }
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    gone = 0
  }
}
