public import FobBase
import Glibc

/// Stream sockets in the file system, from the side that connects.
public enum UnixSocket {
  /// A connected, non-blocking socket; `patience` is how long to wait while the listener's queue is
  /// full.
  public static func connect(
    path: String, patience: Interval = .seconds(5)
  ) throws(IOFailure) -> OwnedDescriptor {
    let address = try UnixAddress(path)
    let socket = try make(SOCK_STREAM, path: path)
    try limitWaiting(of: socket, to: patience)
    try connect(socket, to: address)
    try setNonBlocking(socket)
    return socket
  }

  /// A connected, non-blocking socket without any wait.
  /// - Throws: `IOFailure` with EAGAIN where the listener's queue is full, ECONNREFUSED where
  ///   nobody listens, ENOENT where nothing has the name.
  public static func connectAtOnce(path: String) throws(IOFailure) -> OwnedDescriptor {
    let address = try UnixAddress(path)
    let socket = try make(SOCK_STREAM, path: path)
    try setNonBlocking(socket)
    try connect(socket, to: address)
    return socket
  }

  /// Whether a process listens there. A full queue is a listener too.
  static func isListening(at path: String) throws(IOFailure) -> Bool {
    do throws(IOFailure) {
      _ = try connectAtOnce(path: path)
      return true
    } catch {
      switch error.errno {
      case EAGAIN: return true
      case ECONNREFUSED, ENOENT: return false
      default: throw error
      }
    }
  }

  static func make(_ type: __socket_type, path: String) throws(IOFailure) -> OwnedDescriptor {
    let kind = Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = try Syscall.run("make a socket for", path) { socket(AF_UNIX, kind, 0) }
    return OwnedDescriptor(owning: number, path: path)
  }

  static func setNonBlocking(_ socket: borrowing OwnedDescriptor) throws(IOFailure) {
    let number = socket.number
    try Syscall.run("set up", socket.path) { fcntl(number, F_SETFL, O_RDWR | O_NONBLOCK) }
  }

  private static func connect(
    _ socket: borrowing OwnedDescriptor, to address: UnixAddress
  ) throws(IOFailure) {
    let number = socket.number
    let path = socket.path
    _ = try address.withPointer { (pointer, length) throws(IOFailure) in
      try Syscall.run("connect to", path) { Glibc.connect(number, pointer, length) }
    }
  }

  /// SO_SNDTIMEO bounds connect(2) as well (unix(7)); without it a full queue blocks for ever.
  private static func limitWaiting(
    of socket: borrowing OwnedDescriptor, to patience: Interval
  ) throws(IOFailure) {
    let number = socket.number
    var limit = timeval(
      tv_sec: Int(patience.microseconds / 1_000_000),
      tv_usec: Int(patience.microseconds % 1_000_000))
    try Syscall.run("set up", socket.path) {
      setsockopt(
        number, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }
}
