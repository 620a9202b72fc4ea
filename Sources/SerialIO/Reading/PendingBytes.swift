/// Bytes that wait for a device to take them, oldest first. Its memory is fixed and allocated once.
///
/// Sendable unchecked because of the pointer alone: the memory has this one owner, which cannot be
/// copied, and `bytes` is not kept beyond a call.
package struct PendingBytes: ~Copyable, @unchecked Sendable {
  private let storage: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  /// - Parameter capacity: the most bytes that may wait.
  package init(capacity: Int) {
    storage = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit { storage.deallocate() }

  /// The most bytes that may wait.
  package var capacity: Int { storage.count }
  /// Whether no byte waits.
  package var isEmpty: Bool { start == end }
  /// How many bytes ``append(_:)`` takes now.
  package var room: Int { storage.count - (end - start) }
  /// All that wait, in order; valid until the next change.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: storage[start..<end])
  }

  /// Copies bytes behind those that wait: at most ``room``, more is a programmer's error.
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

  /// Drops the oldest bytes: at most those that wait, more is a programmer's error.
  package mutating func removeFirst(_ count: Int) {
    precondition(count <= end - start, "no more can be taken than waits")
    start += count
    if start == end {
      start = 0
      end = 0
    }
  }
}
