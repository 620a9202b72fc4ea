public import FobBase
public import Glibc
public import SerialIO

/// The board's end of a line to a host. It exists for hosts while it is plugged in, and drops bytes
/// while no host is there.
///
/// All calls come from the keychain's thread. None waits, except the opening of a serial port whose
/// DTR is pulsed (100 ms).
public protocol DeviceTransport: AnyObject {
  /// The text that the control socket shows for the line: a pty's stable name, else the spec.
  var link: String { get }
  /// The spec for a host. A TCP port asked for as 0 is the real one.
  var spec: DeviceSpec { get }
  /// A pty's device, like `/dev/pts/4`; nil while unplugged, and for other lines.
  var devicePath: String? { get }
  var isPluggedIn: Bool { get }
  /// Whether a host has the line open, as of the last ``look()``.
  var hostIsPresent: Bool { get }
  /// The state of a USB device; nil for other lines.
  var usbState: USBState? { get }
  /// Whether a host that leaves is noticed. Where it is not, its session outlives an unplugging.
  var noticesHost: Bool { get }
  /// The descriptor to poll for bytes and for a host that comes or leaves; -1 while unplugged.
  var descriptor: Int32 { get }
  /// The descriptor to poll for further hosts, which ``look()`` turns away; -1 if none can come.
  var listenerDescriptor: Int32 { get }
  /// `descriptor` with the events to poll it for.
  /// - Parameters:
  ///   - isPowered: whether the board runs.
  ///   - mayRead: whether the board can take bytes of the host.
  ///   - waitsToWrite: whether the board has bytes that the line has not taken.
  func polled(isPowered: Bool, mayRead: Bool, waitsToWrite: Bool) -> pollfd

  /// When ``look()`` must be called even if nothing has happened; nil: never.
  var nextDue: Instant? { get }

  func plugIn() throws(IOFailure)
  func pullOut()
  /// Tells whether the board has power.
  func board(isPowered: Bool)
  /// Finds out whether a host is there.
  func look()
  /// As `Board.readLink`. It gives nothing before `look` has seen the host: the board's answer
  /// would be dropped.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int
  /// As `Board.writeLink`. Without a host it drops all bytes, as a USB CDC device does.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int
}

extension DeviceTransport {
  var devicePath: String? { nil }
  var listenerDescriptor: Int32 { -1 }
  var usbState: USBState? { nil }
  var nextDue: Instant? { nil }
  var noticesHost: Bool { true }
  var link: String { spec.resolved.description }

  func board(isPowered: Bool) {}

  /// Without power nothing is polled: the board does not read, and a hang-up would end every poll.
  func polled(isPowered: Bool, mayRead: Bool, waitsToWrite: Bool) -> pollfd {
    var events = POLLIN
    if hostIsPresent { events = (mayRead ? POLLIN : 0) | (waitsToWrite ? POLLOUT : 0) }
    return pollfd(fd: isPowered ? descriptor : -1, events: Int16(events), revents: 0)
  }

  /// Drops the bytes that a host sent while the board had no power: at most as many as a pty holds,
  /// so that a host that never stops cannot keep the board from booting.
  func discardInput() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      for _ in 0..<16 where read(buffer) == 0 { return }
    }
  }
}

extension DeviceSpec {
  /// Makes the board's end of this line, plugged in.
  /// - Throws: `IOFailure` where the line cannot be had, EINVAL for `tty:` and `usb:`.
  public func makeTransport() throws(IOFailure) -> any DeviceTransport {
    switch kind {
    case .pty(let path): try PtyTransport(linkPath: path)
    case .serial: try SerialTransport(self)
    case .unix, .tcp, .memory: try SocketTransport(self)
    case .tty, .usb:
      throw IOFailure(
        "plug in at", errno: EINVAL, path: description,
        reason: "a USB device is plugged into a bus: use fob emulate --usb")
    }
  }
}

/// The board on a real serial port, wired to the host's by a null modem. That tells nothing of the
/// other end, so the host counts as present while the port is open.
final class SerialTransport: DeviceTransport {
  let spec: DeviceSpec
  private var line: OwnedDescriptor?
  private(set) var hostIsPresent = false

  /// - Parameter spec: `serial:`; any other is a programmer's error.
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

  /// A port that has gone, such as a pulled adapter, counts as unplugged.
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

/// The board on a pty: a device under a name that stays, which exists while it is plugged in.
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

  // Removes the name before the device: the kernel may give its number to another at once.
  deinit { pullOut() }

  var link: String { spec.resolved.path ?? linkPath }

  var spec: DeviceSpec { DeviceSpec(pty: linkPath) }

  var isPluggedIn: Bool { devicePath != nil }

  var devicePath: String? {
    switch pty {
    case .some(let pty): pty.slavePath
    case .none: nil
    }
  }

  /// The pty's master while a host is present, else the watch for the next opening.
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
      // Cleared first, so that an opening after this look is still seen.
      if !hostIsPresent { pty.clearOpenings() }
      hostIsPresent = pty.isOpen
    case .none: break
    }
  }

  /// Bytes that come before `look` has seen the host wait in the pty.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard hostIsPresent else { return 0 }
    switch pty {
    case .some(let pty): return ((try? pty.master.read(into: buffer)) ?? nil) ?? 0
    case .none: return 0
    }
  }

  /// Drops bytes while no host is present: the kernel would keep them for the next one.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard hostIsPresent else { return bytes.count }
    switch pty {
    case .some(let pty): return ((try? pty.master.write(bytes)) ?? nil) ?? 0
    case .none: return bytes.count
    }
  }
}
