import Glibc

/// A file descriptor with one owner, who closes it by letting go of it.
///
/// In a function that never returns (an endless loop, `exit` at its end), Swift lets go of a local
/// after its last use: there, keep what owns a descriptor in a property.
public struct OwnedDescriptor: ~Copyable, Sendable {
  public let number: Int32
  /// What was opened, for messages.
  public let path: String

  public init(owning number: Int32, path: String) {
    self.number = number
    self.path = path
  }

  deinit {
    // Not retried: after EINTR Linux has closed it, and the number may be another file's by now.
    _ = Glibc.close(number)
  }

  /// The bytes read: 0 at the end, nil where a non-blocking descriptor has none now.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(IOFailure) -> Int? {
    try Syscall.runWithoutWaiting("read", path) {
      Glibc.read(number, buffer.baseAddress, buffer.count)
    }
  }

  /// The bytes taken, often fewer than given: nil where a non-blocking descriptor takes none now.
  public func write(_ bytes: UnsafeRawBufferPointer) throws(IOFailure) -> Int? {
    try Syscall.runWithoutWaiting("write", path) {
      Glibc.write(number, bytes.baseAddress, bytes.count)
    }
  }

  /// As ``write(_:)`` for a socket: a peer that has left is EPIPE, never SIGPIPE.
  public func send(_ bytes: UnsafeRawBufferPointer) throws(IOFailure) -> Int? {
    try Syscall.runWithoutWaiting("write", path) {
      Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Takes an advisory lock that ends with this descriptor. False where another holds it.
  public func lockExclusively() throws(IOFailure) -> Bool {
    try Syscall.runWithoutWaiting("lock", path) { flock(number, LOCK_EX | LOCK_NB) } != nil
  }

  func status() throws(IOFailure) -> stat {
    var status = stat()
    try Syscall.run("examine", path) { fstat(number, &status) }
    return status
  }
}
