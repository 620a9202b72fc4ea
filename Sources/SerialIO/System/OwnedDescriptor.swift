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

/// Input, output and errors, which may be closed when a process starts.
public enum StandardDescriptors {
  /// Leads those that are closed to /dev/null: else the first file that is opened would get what is
  /// printed.
  public static func fill() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // The lowest number that is free.
      _ = open("/dev/null", O_RDWR)
    }
  }
}

/// How many files this process may have open. A keychain or a device takes six to eight of them,
/// and the soft limit that a shell hands on is often 1,024.
public enum DescriptorLimit {
  /// As far as the system lets this process go by itself; where it does not, openings say so later.
  public static func raise() {
    var limit = current
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// How many there may be, and how many there are.
  public static var now: (most: Int, open: Int) {
    (Int(clamping: current.rlim_cur), openDescriptors)
  }

  private static var current: rlimit {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return rlimit(rlim_cur: 1_024, rlim_max: 1_024)
    }
    return limit
  }

  private static var openDescriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // ".", ".." and the folder itself.
    return max(0, count - 3)
  }
}
