import FobBase
import Glibc
import SerialIO

/// The board on a real serial port, wired to the host's by a null modem. A null modem tells nothing
/// of the other end, so the host counts as there while the port is open.
final class SerialTransport: DeviceTransport {
  let spec: DeviceSpec
  private var line: OwnedDescriptor?
  private(set) var hostIsPresent = false

  /// - Parameter spec: of a serial port.
  init(_ spec: DeviceSpec) throws(IOFailure) {
    self.spec = spec
    try plugIn()
  }

  var noticesHost: Bool { false }

  var isPluggedIn: Bool { descriptor >= 0 }

  var descriptor: Int32 {
    switch line {
    case .some(let line): line.number
    case .none: -1
    }
  }

  func plugIn() throws(IOFailure) {
    guard case .serial(let path, let settings) = spec.kind else {
      preconditionFailure("a serial plug is made for a serial port")
    }
    line = try SerialLine(path: path, settings: settings).intoDescriptor()
  }

  func pullOut() {
    line = nil
    hostIsPresent = false
  }

  /// A port that is gone, such as an adapter that was pulled, is as if this plug had been.
  func look() {
    guard isPluggedIn else { return }
    let now = try? Syscall.poll(descriptor, for: POLLIN, until: Instant(microseconds: 0))
    hostIsPresent = now.map { $0 & (POLLHUP | POLLERR | POLLNVAL) == 0 } ?? false
    if !hostIsPresent { pullOut() }
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard hostIsPresent else { return 0 }
    switch line {
    case .some(let line): return ((try? line.read(into: buffer)) ?? nil) ?? 0
    case .none: return 0
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard hostIsPresent else { return bytes.count }
    switch line {
    case .some(let line): return ((try? line.write(bytes)) ?? nil) ?? 0
    case .none: return bytes.count
    }
  }
}
