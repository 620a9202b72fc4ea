import Glibc
import SerialIO

/// The board's USB plug as a host sees it: a device under a name that stays, there while plugged.
final class PtyTransport: DeviceTransport {
  private let linkPath: String
  private var pty: PseudoTerminal?
  private var name: StableLink?
  /// As of the last ``look()``.
  private(set) var hostIsPresent = false

  init(linkPath: String) throws(IOFailure) {
    self.linkPath = linkPath
    try plugIn()
  }

  // The name goes before the device: the kernel may give that number to another at once.
  deinit { pullOut() }

  var link: String { linkPath }

  var spec: DeviceSpec { DeviceSpec(pty: linkPath) }

  var isPluggedIn: Bool { devicePath != nil }

  var devicePath: String? {
    switch pty {
    case .some(let pty): pty.slavePath
    case .none: nil
    }
  }

  /// The master while a host is there, else the watch for the next opening.
  var descriptor: Int32 {
    switch pty {
    case .some(let pty): hostIsPresent ? pty.master.number : pty.openingsDescriptor
    case .none: -1
    }
  }

  func plugIn() throws(IOFailure) {
    let new = try PseudoTerminal()
    name = try StableLink(at: linkPath, to: new.slavePath)
    pty = consume new
  }

  func pullOut() {
    name = nil
    pty = nil
    hostIsPresent = false
  }

  func look() {
    switch pty {
    case .some(let pty):
      // Cleared first: an opening that comes after the look is then still to be seen.
      if !hostIsPresent { pty.clearOpenings() }
      hostIsPresent = pty.isOpen
    case .none: break
    }
  }

  /// What comes before `look` has seen the host waits in the pty.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard hostIsPresent else { return 0 }
    switch pty {
    case .some(let pty): return ((try? pty.master.read(into: buffer)) ?? nil) ?? 0
    case .none: return 0
    }
  }

  /// Drops what no host listens to: the kernel would keep it for the next who opens the device.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard hostIsPresent else { return bytes.count }
    switch pty {
    case .some(let pty): return ((try? pty.master.write(bytes)) ?? nil) ?? 0
    case .none: return bytes.count
    }
  }
}
