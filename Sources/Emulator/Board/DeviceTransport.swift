public import FobBase
public import Glibc
public import SerialIO

/// The board's end of a line to a host: there while it is plugged in, silent while no host listens.
///
/// All of it runs on the keychain's thread, and nothing of it waits but opening a port whose DTR is
/// to be pulsed.
public protocol DeviceTransport: AnyObject {
  /// What a host opens, as the control socket shows it: a pty's stable name, else a spec.
  var link: String { get }
  /// The same as a spec. A TCP port that was asked for with 0 is the one that it got.
  var spec: DeviceSpec { get }
  /// Of a pty: like `/dev/pts/4`; nil while unplugged.
  var devicePath: String? { get }
  var isPluggedIn: Bool { get }
  /// As of the last ``look()``.
  var hostIsPresent: Bool { get }
  /// Nil for what is no USB device.
  var usbState: USBState? { get }
  /// Whether a host that goes is noticed. Where it is not, its session outlives an unplugging.
  var noticesHost: Bool { get }
  /// What to poll for bytes, for a host that comes and for one that goes; -1 while unplugged.
  var descriptor: Int32 { get }
  /// Where further hosts knock, which ``look()`` turns away; -1 where there are none.
  var listenerDescriptor: Int32 { get }
  /// `descriptor` with what to poll it for.
  /// - Parameters:
  ///   - isPowered: the board runs.
  ///   - mayRead: it can take bytes of the host in.
  ///   - waitsToWrite: it has some that the line has not taken.
  func polled(isPowered: Bool, mayRead: Bool, waitsToWrite: Bool) -> pollfd

  /// When ``look()`` is to be called though nothing has happened; nil: never.
  var nextDue: Instant? { get }

  func plugIn() throws(IOFailure)
  func pullOut()
  /// The board runs, or is without power.
  func board(isPowered: Bool)
  /// Finds out whether a host is there.
  func look()
  /// As `Board.readLink`. Nothing before `look` has seen the host: the answer would be dropped.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int
  /// As `Board.writeLink`. Drops what no host listens to, as a USB CDC device does.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int
}

extension DeviceTransport {
  var devicePath: String? { nil }
  var listenerDescriptor: Int32 { -1 }
  var usbState: USBState? { nil }
  var nextDue: Instant? { nil }
  var noticesHost: Bool { true }
  var link: String { spec.description }

  func board(isPowered: Bool) {}

  /// Without power nobody reads the link, and its hang-up would end every poll.
  func polled(isPowered: Bool, mayRead: Bool, waitsToWrite: Bool) -> pollfd {
    var events = POLLIN
    if hostIsPresent { events = (mayRead ? POLLIN : 0) | (waitsToWrite ? POLLOUT : 0) }
    return pollfd(fd: isPowered ? descriptor : -1, events: Int16(events), revents: 0)
  }

  /// Forgets what a host sent while the board could not listen: at most what a pty holds, so that
  /// a host that never stops cannot keep the board from booting.
  func discardInput() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      for _ in 0..<16 where read(buffer) == 0 { return }
    }
  }
}

extension DeviceSpec {
  /// Plugged in at once.
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
