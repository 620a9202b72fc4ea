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
