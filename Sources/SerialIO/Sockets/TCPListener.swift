import CLinux
public import FobBase
import Glibc

/// A listening TCP port. Every program that reaches its address can connect: give it a loopback
/// address unless another machine is meant.
public struct TCPListener: ~Copyable, Sendable {
  private let socket: OwnedDescriptor
  /// The port that it really has, also where 0 asked for any.
  public let port: UInt16

  /// - Parameters:
  ///   - host: this host's IPv4 or IPv6 address, or a name, of which the first address counts.
  ///   - port: 0 asks for any that is free.
  ///   - patience: how long to wait for a host's name to be looked up.
  ///   - backlog: how many clients may wait to be accepted.
  /// - Throws: `IOFailure` with EADDRINUSE if a process listens there, EADDRNOTAVAIL if the host is
  ///   not this one.
  public init(
    host: String, port: UInt16, patience: Interval = .seconds(5), backlog: Int32 = 16
  ) throws(IOFailure) {
    let path = TCPAddress.text(host: host, port: port)
    let never = try EventSignal()
    let found = try NameLookup(host: host, port: port).addresses(
      cancel: never.descriptor, until: BootClock.now() + patience)
    let address = found[0]
    let socket = try TCPOptions.makeSocket(address.family, path: path)
    let number = socket.number
    // Without it the port would stay closed for a minute after each line that this end closed.
    try TCPOptions.set(SOL_SOCKET, SO_REUSEADDR, to: 1, on: socket)
    _ = try address.withPointer { (pointer, length) throws(IOFailure) in
      try Syscall.run("listen at", path) { bind(number, pointer, length) }
    }
    try Syscall.run("listen at", path) { listen(number, backlog) }
    self.port = try TCPAddress(of: socket).port
    self.socket = socket
  }

  /// Readable when a client waits.
  public var descriptor: Int32 { socket.number }

  /// The next client that waits, non-blocking; nil if there is none.
  public func accept() throws(IOFailure) -> OwnedDescriptor? {
    let listener = socket.number
    guard
      let number = try Syscall.runWithoutWaiting(
        "accept at", socket.path, { clinux_accept(listener) })
    else { return nil }
    let client = OwnedDescriptor(owning: number, path: socket.path)
    try TCPOptions.set(on: client)
    return client
  }
}

/// The options of every TCP line here, at both ends.
///
/// Frames are small and urgent: TCP_NODELAY. A peer that vanished (its host lost power, its cable
/// was pulled) is noticed about 10 s later. On a silent line keepalive probes notice it, from 4 s
/// of silence on, after 7 s without an answer. On a line with something to send TCP_USER_TIMEOUT
/// (tcp(7), RFC 5482) does, 7 s after the first byte that nobody acknowledged.
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
