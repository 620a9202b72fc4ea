import CLinux
import Glibc

/// A file descriptor with one owner. Letting go of it closes it.
///
/// In a function that never returns (an endless loop, `exit` at its end), Swift lets go of a local
/// after its last use: there, keep what owns a descriptor in a property.
public struct OwnedDescriptor: ~Copyable, Sendable {
  /// For system calls. Valid as long as this value lives.
  public let number: Int32
  /// The name of what was opened, for messages.
  public let path: String

  /// Takes over an open descriptor: nobody else may close it.
  public init(owning number: Int32, path: String) {
    self.number = number
    self.path = path
  }

  deinit {
    // Not retried: after EINTR Linux has closed it, and the number may already be another file's.
    _ = Glibc.close(number)
  }

  /// Returns how many bytes were read: 0 at the end, nil where a non-blocking descriptor has none
  /// now.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws(IOFailure) -> Int? {
    try Syscall.runWithoutWaiting("read", path) {
      Glibc.read(number, buffer.baseAddress, buffer.count)
    }
  }

  /// Returns how many bytes were taken, often fewer than given; nil where a non-blocking descriptor
  /// takes none now.
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

/// Descriptors 0 to 2, which may be closed when a process starts.
public enum StandardDescriptors {
  /// Opens /dev/null for those that are closed: else the first file that is opened would get
  /// printed text.
  public static func fill() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // open(2) takes the lowest free number.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
