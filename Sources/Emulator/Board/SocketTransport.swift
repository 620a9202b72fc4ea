import FobBase
import Glibc
import SerialIO

/// The board behind a listening socket, for one host at a time: the line of a further host is
/// closed at once. While unplugged, it does not listen.
final class SocketTransport: DeviceTransport {
  private(set) var spec: DeviceSpec
  private var listener: SocketListener?
  private var host: OwnedDescriptor?
  /// When to accept again after a failure, as where the process has no descriptor left: the
  /// listener stays readable, and would make the keychain spin.
  private var acceptAgain: Instant?

  init(_ spec: DeviceSpec) throws(IOFailure) {
    self.spec = spec
    try plugIn()
  }

  var isPluggedIn: Bool { doorNumber >= 0 }

  var hostIsPresent: Bool { hostNumber >= 0 }

  var descriptor: Int32 { hostIsPresent ? hostNumber : isAccepting ? doorNumber : -1 }

  var listenerDescriptor: Int32 { hostIsPresent && isAccepting ? doorNumber : -1 }

  private var isAccepting: Bool { acceptAgain.map { $0 <= BootClock.now() } ?? true }

  func plugIn() throws(IOFailure) {
    listener = try SocketListener(spec)
    precondition(isPluggedIn, "a socket plug is made for a socket")
    // Keeps the port for the next plugging: a host knows the keychain by it.
    if case .tcp(let host, 0) = spec.kind, let port {
      spec = DeviceSpec(.tcp(host: host, port: port))
    }
  }

  func pullOut() {
    listener = nil
    host = nil
  }

  /// One look never sees a host leave and another come, so that the leaving is told.
  func look() {
    if hostIsPresent, !hostIsThere() {
      host = nil
      return
    }
    while let next = acceptNext() {
      // Closed at once if another host has the line.
      if hostIsPresent { _ = consume next } else { host = consume next }
    }
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch host {
    case .some(let host): return ((try? host.read(into: buffer)) ?? nil) ?? 0
    case .none: return 0
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch host {
    case .some(let host): return ((try? host.send(bytes)) ?? nil) ?? 0
    case .none: return bytes.count
    }
  }

  private var doorNumber: Int32 {
    switch listener {
    case .some(let listener): listener.descriptor
    case .none: -1
    }
  }

  private var port: UInt16? {
    switch listener {
    case .some(let listener): listener.port
    case .none: nil
    }
  }

  private var hostNumber: Int32 {
    switch host {
    case .some(let host): host.number
    case .none: -1
    }
  }

  /// Whether the host is still connected, or has left bytes to read.
  private func hostIsThere() -> Bool {
    var byte: UInt8 = 0
    let count = recv(hostNumber, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))
  }

  private func acceptNext() -> OwnedDescriptor? {
    switch listener {
    case .some(let listener):
      guard isAccepting else { return nil }
      acceptAgain = nil
      do {
        return try listener.accept()
      } catch {
        acceptAgain = BootClock.now() + .seconds(1)
        return nil
      }
    case .none: return nil
    }
  }
}
