import Glibc
import Synchronization

/// The device's end of `memory:NAME`: it listens under a name that only this process knows. Both
/// ends of the line are threads of one process.
///
/// The kernel carries the bytes, over a socket pair, so tests use the same reader as other lines. A
/// queue in memory would save two system calls, but would need a reader, back-pressure and a
/// hang-up of its own.
public struct MemoryListener: ~Copyable, Sendable {
  /// The NAME of `memory:NAME`, free again when the listener ends.
  public let name: String
  private let rendezvous: Rendezvous

  /// Shared by both ends: a signal, and the one host that waits to be accepted.
  private final class Rendezvous: Sendable {
    let knock: EventSignal
    let host = Mutex<OwnedDescriptor?>(nil)

    init() throws(IOFailure) { knock = try EventSignal() }
  }

  private static let rendezvousByName = Mutex<[String: Rendezvous]>([:])

  /// - Throws: `IOFailure` with EADDRINUSE if another device of this process has the name.
  public init(name: String) throws(IOFailure) {
    let rendezvous = try Rendezvous()
    let isNew = Self.rendezvousByName.withLock { rendezvousByName in
      guard rendezvousByName[name] == nil else { return false }
      rendezvousByName[name] = rendezvous
      return true
    }
    guard isNew else {
      throw IOFailure(
        "listen at", errno: EADDRINUSE, path: "memory:\(name)",
        reason: "another keychain of this process has that name")
    }
    self.name = name
    self.rendezvous = rendezvous
  }

  deinit {
    let name = name
    Self.rendezvousByName.withLock { $0[name] = nil }
    rendezvous.host.withLock { $0 = nil }
  }

  /// Readable when a host waits.
  public var descriptor: Int32 { rendezvous.knock.descriptor }

  /// The host that waits, non-blocking; nil if there is none.
  public func accept() -> OwnedDescriptor? {
    rendezvous.knock.clear()
    return rendezvous.host.withLock { $0.take() }
  }

  /// Connects to the device with this name and returns the host's end, non-blocking.
  /// - Throws: `IOFailure` with ENOENT if no device of this process has that name, EBUSY if another
  ///   host is at the listener.
  public static func connect(name: String) throws(IOFailure) -> OwnedDescriptor {
    let path = "memory:\(name)"
    // Under the registry's lock, so that no host is left waiting for a device that has gone.
    return try rendezvousByName.withLock { (rendezvousByName) throws(IOFailure) in
      guard let rendezvous = rendezvousByName[name] else {
        throw IOFailure(
          "open", errno: ENOENT, path: path, reason: "no keychain of this process has that name")
      }
      return try rendezvous.host.withLock { (waiting) throws(IOFailure) -> OwnedDescriptor in
        guard waiting == nil else {
          throw IOFailure(
            "open", errno: EBUSY, path: path, reason: "another host is at the listener")
        }
        var ends: InlineArray<2, Int32> = [-1, -1]
        try pair(path, &ends)
        waiting = OwnedDescriptor(owning: ends[1], path: path)
        rendezvous.knock.signal()
        return OwnedDescriptor(owning: ends[0], path: path)
      }
    }
  }

  private static func pair(
    _ path: String, _ ends: inout InlineArray<2, Int32>
  ) throws(IOFailure) {
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    var span = ends.mutableSpan
    _ = try span.withUnsafeMutableBufferPointer { (ends) throws(IOFailure) in
      try Syscall.run("make", path) { socketpair(AF_UNIX, kind, 0, ends.baseAddress!) }
    }
  }
}
