import CortexM

/// Bytes from an interrupt to the main loop, in memory of the start (CortexM.h). The count of bytes
/// ever put in and taken out wraps; `capacity` is a power of two.
struct ByteQueue<let capacity: Int> {
  private struct Content {
    var bytes: InlineArray<capacity, UInt8>
    var put: UInt32
    var taken: UInt32
  }

  private let content: UnsafeMutablePointer<Content>

  @inline(__always)
  init(in memory: UnsafeMutableRawPointer) {
    precondition(MemoryLayout<Content>.size <= capacity + BYTE_QUEUE_COUNTS)
    content = memory.assumingMemoryBound(to: Content.self)
  }

  var count: Int { Int(content.pointee.put &- content.pointee.taken) }
  var isEmpty: Bool { content.pointee.put == content.pointee.taken }
  var isFull: Bool { count == capacity }

  func append(_ byte: UInt8) {
    content.pointee.bytes[Int(content.pointee.put) & (capacity - 1)] = byte
    content.pointee.put &+= 1
  }

  func removeFirst() -> UInt8 {
    defer { content.pointee.taken &+= 1 }
    return content.pointee.bytes[Int(content.pointee.taken) & (capacity - 1)]
  }
}
