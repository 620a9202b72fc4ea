import FobBase
import Glibc

/// What every TCP line here is set to, at both ends.
///
/// Frames are small and urgent: TCP_NODELAY. A peer that died without a word (its host lost power,
/// its cable was pulled) is noticed about 10 s later: on a silent line by keepalive probes, from 4
/// s of silence on, and 7 s without an answer; on a line with something to send by TCP_USER_TIMEOUT
/// (tcp(7), RFC 5482), 7 s after the first byte that nobody acknowledged.
enum TCPOptions {
  private static let userTimeout: Int32 = 7_000
  private static let idle: Int32 = 4
  private static let interval: Int32 = 1

  /// Non-blocking and close-on-exec.
  static func makeSocket(_ family: Int32, path: String) throws(IOFailure) -> OwnedDescriptor {
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let number = try Syscall.run("make a socket for", path) { socket(family, kind, 0) }
    return OwnedDescriptor(owning: number, path: path)
  }

  static func set(on socket: borrowing OwnedDescriptor) throws(IOFailure) {
    let tcp = Int32(IPPROTO_TCP)
    try set(tcp, TCP_NODELAY, to: 1, on: socket)
    try set(SOL_SOCKET, SO_KEEPALIVE, to: 1, on: socket)
    try set(tcp, TCP_KEEPIDLE, to: idle, on: socket)
    try set(tcp, TCP_KEEPINTVL, to: interval, on: socket)
    try set(tcp, TCP_USER_TIMEOUT, to: userTimeout, on: socket)
  }

  static func set(
    _ level: Int32, _ option: Int32, to value: Int32, on socket: borrowing OwnedDescriptor
  ) throws(IOFailure) {
    var value = value
    let number = socket.number
    try Syscall.run("set up", socket.path) {
      setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}
