import CLinux
public import FobBase
import Glibc

/// A listening TCP port. Whoever can reach its address can connect: give it a loopback address
/// unless another machine is meant.
public struct TCPListener: ~Copyable, Sendable {
  private let socket: OwnedDescriptor
  /// The one that it has, also where any was asked for with 0.
  public let port: UInt16

  /// - Parameter patience: how long to wait for a host's name to be looked up.
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
    // Or the port would stay closed for a minute after each line that this end closed.
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
