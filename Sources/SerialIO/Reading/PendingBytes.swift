/// Bytes that wait for a device to take them, oldest first. Room for a fixed number, taken once.
///
/// Sendable unchecked because of the pointer alone: the memory has this one owner, which cannot be
/// copied, and `bytes` is not kept beyond a call.
package struct PendingBytes: ~Copyable, @unchecked Sendable {
  private let storage: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  package init(capacity: Int) {
    storage = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit { storage.deallocate() }

  package var capacity: Int { storage.count }
  package var isEmpty: Bool { start == end }
  package var room: Int { storage.count - (end - start) }
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage[start..<end])
  }

  package mutating func append(_ new: UnsafeRawBufferPointer) {
    precondition(new.count <= room, "who appends has looked at the room")
    if storage.count - end < new.count {
      let waiting = end - start
      storage.copyMemory(from: bytes)
      start = 0
      end = waiting
    }
    UnsafeMutableRawBufferPointer(rebasing: storage[end...]).copyMemory(from: new)
    end += new.count
  }

  package mutating func removeFirst(_ count: Int) {
    precondition(count <= end - start, "no more can be taken than waits")
    start += count
    if start == end {
      start = 0
      end = 0
    }
  }
}
