public import FobBase
import Glibc

/// Connects to one TCP port, as often as asked; name look-ups included.
public final class TCPConnector: Sendable {
  private let path: String
  private let lookup: NameLookup

  /// `host` is an IPv4 address, an IPv6 address without brackets, or a name; it is looked up at
  /// each ``connect(cancel:until:)``.
  public init(host: String, port: UInt16) {
    path = TCPAddress.text(host: host, port: port)
    lookup = NameLookup(host: host, port: port)
  }

  /// A connected, non-blocking socket that sends at once and notices a dead peer; see
  /// `TCPOptions`. Every address that the host has is tried until the deadline.
  /// - Parameters:
  ///   - cancel: a descriptor that ends the wait when readable, such as an EventSignal's.
  ///   - deadline: on the boot clock, for look-up and all addresses together.
  /// - Throws: `IOFailure` with ECANCELED when cancelled, ETIMEDOUT at the deadline, else what the
  ///   last address said, ECONNREFUSED where nobody listens.
  public func connect(
    cancel: Int32, until deadline: Instant
  ) throws(IOFailure) -> OwnedDescriptor {
    var last = IOFailure("connect to", errno: EHOSTUNREACH, path: path)
    for address in try lookup.addresses(cancel: cancel, until: deadline) {
      do {
        return try connect(to: address, cancel, deadline)
      } catch {
        if error.errno == ECANCELED { throw error }
        last = error
      }
    }
    throw last
  }

  private func connect(
    to address: TCPAddress, _ cancel: Int32, _ deadline: Instant
  ) throws(IOFailure) -> OwnedDescriptor {
    let socket = try TCPOptions.makeSocket(address.family, path: path)
    let number = socket.number
    let result = try address.withPointer { (pointer, length) throws(IOFailure) -> Int32 in
      Glibc.connect(number, pointer, length) == 0 ? 0 : errno
    }
    // After EINTR the connecting goes on, as after EINPROGRESS.
    guard result == 0 || result == EINPROGRESS || result == EINTR else {
      throw IOFailure("connect to", errno: result, path: path)
    }
    if result != 0 { try awaitConnection(of: number, cancel, deadline) }
    // Nobody listens, and the kernel chose that very port for this end: TCP connects it to itself
    // (RFC 9293, simultaneous open). Asking each second for long enough makes it happen.
    guard try TCPAddress(of: socket) != address else {
      throw IOFailure("connect to", errno: ECONNREFUSED, path: path)
    }
    try TCPOptions.set(on: socket)
    return socket
  }

  private func awaitConnection(
    of number: Int32, _ cancel: Int32, _ deadline: Instant
  ) throws(IOFailure) {
    var waits: InlineArray<2, pollfd> = [
      pollfd(fd: number, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: cancel, events: Int16(POLLIN), revents: 0),
    ]
    let ready = try Syscall.poll(&waits, until: deadline)
    if waits[1].revents != 0 { throw IOFailure("connect to", errno: ECANCELED, path: path) }
    if ready == 0 { throw IOFailure("connect to", errno: ETIMEDOUT, path: path) }
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    try Syscall.run("connect to", path) {
      getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length)
    }
    if code != 0 { throw IOFailure("connect to", errno: code, path: path) }
  }
}
