import CLinux
import Glibc

/// A listening socket in the file system, mode 0600. Letting go of it removes the path, unless
/// another process has replaced it.
public struct UnixListener: ~Copyable, Sendable {
  private let socket: OwnedDescriptor
  private let device: dev_t
  private let inode: ino_t

  /// Replaces a socket that nobody listens on any more.
  /// - Throws: `IOFailure` with EADDRINUSE if a process listens there, EEXIST if the path is no
  ///   socket, ENAMETOOLONG over 107 bytes.
  public init(path: String, backlog: Int32 = 16) throws(IOFailure) {
    let address = try UnixAddress(path)
    let socket = try UnixSocket.make(SOCK_STREAM, path: path)
    try UnixSocket.setNonBlocking(socket)
    let number = socket.number
    // bind(2) takes the socket's mode. The umask is the whole process's, so it is not touched.
    try Syscall.run("set the mode of", path) { fchmod(number, 0o600) }
    // Two processes that find the same stale socket must not both replace it.
    let directory = try Syscall.open(UnixListener.directory(of: path), O_RDONLY | O_DIRECTORY)
    let lock = directory.number
    try Syscall.run("lock", directory.path) { flock(lock, LOCK_EX) }
    try UnixListener.removeStale(path)
    _ = try address.withPointer { (pointer, length) throws(IOFailure) in
      try Syscall.run("bind", path) { bind(number, pointer, length) }
    }
    try Syscall.run("listen at", path) { listen(number, backlog) }
    var status = stat()
    try Syscall.run("examine", path) { lstat(path, &status) }
    // The lock has to outlive the last look at the path.
    _ = consume directory
    self.socket = socket
    device = status.st_dev
    inode = status.st_ino
  }

  deinit {
    var status = stat()
    guard lstat(socket.path, &status) == 0, status.st_dev == device, status.st_ino == inode
    else { return }
    _ = unlink(socket.path)
  }

  /// As given to `init`.
  public var path: String { socket.path }

  /// Readable when a client waits.
  public var descriptor: Int32 { socket.number }

  /// The next client that waits, non-blocking; nil if there is none.
  public func accept() throws(IOFailure) -> OwnedDescriptor? {
    let listener = socket.number
    guard
      let number = try Syscall.runWithoutWaiting("accept at", path, { clinux_accept(listener) })
    else { return nil }
    return OwnedDescriptor(owning: number, path: path)
  }

  private static func removeStale(_ path: String) throws(IOFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw IOFailure("listen at", errno: EEXIST, path: path, reason: "it is not a socket")
    }
    guard try !UnixSocket.isListening(at: path) else {
      throw IOFailure(
        "listen at", errno: EADDRINUSE, path: path, reason: "another process listens there")
    }
    try Syscall.run("remove", path) { unlink(path) }
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

/// The address of a socket in the file system, or of an abstract one if it begins with a 0.
struct UnixAddress {
  /// In bytes: unix(7) has room for 108, the last of them a 0.
  static let maxPathSize =
    MemoryLayout<sockaddr_un>.size
    - MemoryLayout.offset(of: \sockaddr_un.sun_path)! - 1

  private var address = sockaddr_un()
  private let length: socklen_t

  /// - Throws: `IOFailure` with ENAMETOOLONG for a path over ``maxPathSize``.
  init(_ path: String) throws(IOFailure) {
    let bytes = Array(path.utf8)
    let room = Self.maxPathSize
    guard bytes.count <= room, !bytes.isEmpty else {
      throw IOFailure(
        "use", errno: ENAMETOOLONG, path: path,
        reason: "a socket's path has 1 to \(room) bytes, this one has \(bytes.count)")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // An abstract name ends where the length says, a path at its 0.
    let end = bytes[0] == 0 ? bytes.count : bytes.count + 1
    length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + end)
  }

  func withPointer<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(IOFailure) -> Result
  ) throws(IOFailure) -> Result {
    try withUnsafePointer(to: address) { (pointer) throws(IOFailure) -> Result in
      let general = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
      return try body(general, length)
    }
  }
}
