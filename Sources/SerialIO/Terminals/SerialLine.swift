import CLinux
import FobBase
import Glibc

/// A terminal device opened by one end of a line: exclusive, raw, non-blocking.
///
/// Opening flushes nothing. Bytes that came before raw mode may be changed (CR turned to LF, 0x03
/// eaten), but a flush cannot tell them from good ones that came a moment later. A damaged frame
/// fails its CRC and is counted; a flushed one would be lost unseen.
///
/// This type moves DTR and RTS only if ``SerialSettings`` ask for it, but Linux moves them, too:
/// the driver raises both at every open(2), and lowers them at the last close(2) if HUPCL is set,
/// as in a fresh port. This type clears HUPCL, so both stay up when the line closes, and no later
/// opening makes an edge. The first opening since the port appeared makes one where the lines were
/// down; no program can prevent that.
public struct SerialLine: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor
  /// The mode before this line was opened.
  private let found: termios

  /// Opens the port, locks it and sets it up. A port that another process holds is left unchanged:
  /// the lock comes before the mode.
  /// - Throws: `IOFailure` with ENOTTY for a file that is no terminal or lacks the modem lines
  ///   asked for, EBUSY where another process holds the port, EINVAL where the driver kept another
  ///   mode or rate or has no modem lines, else what open(2) or the driver says.
  public init(path: String, settings: SerialSettings = SerialSettings()) throws(IOFailure) {
    var found = termios()
    descriptor = try SerialLine.open(path, settings, found: &found)
    self.found = found
  }

  /// For reading and writing while this value lives; it does not block.
  public var number: Int32 { descriptor.number }

  /// Hands the descriptor over to the owner that reads it.
  public consuming func intoDescriptor() -> OwnedDescriptor { descriptor }

  /// Closes the line with the mode, the rate and the HUPCL that its port had before: what opened it
  /// for a moment leaves no trace, but for the edge that Linux itself makes. A port that has gone
  /// is only closed.
  public consuming func giveBack() {
    var mode = found
    _ = ioctl(number, UInt(TIOCNXCL))
    _ = tcsetattr(number, TCSANOW, &mode)
  }

  private static func open(
    _ path: String, _ settings: SerialSettings, found: inout termios
  ) throws(IOFailure) -> OwnedDescriptor {
    let line: OwnedDescriptor
    do {
      line = try Syscall.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    } catch {
      throw error.errno == EBUSY ? held(path) : error
    }
    let number = line.number
    guard isatty(number) == 1 else {
      throw IOFailure("open", errno: ENOTTY, path: path, reason: "it is not a terminal")
    }
    guard try line.lockExclusively() else { throw held(path) }
    try Syscall.run("read the mode of", path) { tcgetattr(number, &found) }
    // Before all other settings, to clear HUPCL: a failure from here on closes the line, and must
    // make no edge.
    try RawMode.set(on: line, flow: settings.flow)
    if let baud = settings.baud { try setSpeed(baud, of: line) }
    // TIOCEXCL stops programs that ask for no lock. A pty keeps the flag after its holder's death,
    // as long as the master lives, and then only root could open it: so a pty has the flock alone.
    if !isPseudoTerminal(try line.status()) {
      try Syscall.run("claim", path) { ioctl(number, UInt(TIOCEXCL)) }
    }
    var lines = PortModemLines(number: number, path: path)
    try settings.setLines(&lines)
    return line
  }

  /// Sets the rate and reads it back: a driver that cannot make it makes the nearest one and
  /// reports no error. Rates within 3 % of each other work: after ten bits half a bit is left.
  private static func setSpeed(
    _ baud: UInt32, of line: borrowing OwnedDescriptor
  ) throws(IOFailure) {
    let number = line.number
    let path = line.path
    try Syscall.run("set \(baud) baud on", path) { clinux_set_speed(number, baud) }
    var made: UInt32 = 0
    try Syscall.run("read the rate of", path) { clinux_get_speed(number, &made) }
    guard UInt64(made.distance(to: baud).magnitude) * 100 <= UInt64(baud) * 3 else {
      throw IOFailure(
        "set \(baud) baud on", errno: EINVAL, path: path,
        reason: "the driver made \(made) of it: choose a rate that it can make")
    }
  }

  private static func held(_ path: String) -> IOFailure {
    IOFailure("open", errno: EBUSY, path: path, reason: "another process holds it")
  }

  /// Unix98 slaves have majors 136 to 143 (Linux, admin-guide/devices.txt).
  private static func isPseudoTerminal(_ status: stat) -> Bool {
    (136...143).contains((status.st_rdev >> 8) & 0xFFF)
  }
}

/// A wire from the host to the device that a program may raise and lower.
enum ModemLine: String, Hashable, Sendable {
  case dtr = "DTR"
  case rts = "RTS"
}

/// A port's modem lines, as a protocol so that a test can record the order of the calls.
protocol ModemLines {
  mutating func raise(_ line: ModemLine) throws(IOFailure)
  mutating func lower(_ line: ModemLine) throws(IOFailure)
  mutating func hold(_ time: Interval) throws(IOFailure)
}

extension SerialSettings {
  /// The time between the two edges of a DTR pulse.
  static let pulseLength = Interval.milliseconds(100)

  /// Moves only the lines asked for. RTS comes first: boards that take DTR for a reset read it
  /// then.
  func setLines(_ lines: inout some ModemLines) throws(IOFailure) {
    switch rts {
    case .keep: break
    case .on: try lines.raise(.rts)
    case .off: try lines.lower(.rts)
    }
    switch dtr {
    case .keep: break
    case .on: try lines.raise(.dtr)
    case .off: try lines.lower(.dtr)
    case .pulse:
      try lines.lower(.dtr)
      try lines.hold(Self.pulseLength)
      try lines.raise(.dtr)
    }
  }
}

/// The modem lines of an open port (ioctl_tty(2)): each call moves one wire and no other.
struct PortModemLines: ModemLines {
  let number: Int32
  let path: String

  func raise(_ line: ModemLine) throws(IOFailure) {
    try move(line, "raise", UInt(TIOCMBIS))
  }

  func lower(_ line: ModemLine) throws(IOFailure) {
    try move(line, "lower", UInt(TIOCMBIC))
  }

  func hold(_ time: Interval) throws(IOFailure) {
    var nothing = pollfd(fd: -1, events: 0, revents: 0)
    _ = try Syscall.poll(&nothing, count: 1, until: BootClock.now() + time)
  }

  private func move(
    _ line: ModemLine, _ userCommand: String, _ request: UInt
  ) throws(IOFailure) {
    var bit = line == .dtr ? TIOCM_DTR : TIOCM_RTS
    let operation = "\(userCommand) \(line.rawValue) of"
    do {
      try Syscall.run(operation, path) { ioctl(number, request, &bit) }
    } catch {
      // A pty gives ENOTTY, a driver without modem lines EINVAL.
      guard error.errno == ENOTTY || error.errno == EINVAL else { throw error }
      throw IOFailure(
        operation, errno: error.errno, path: path,
        reason: "it has no modem lines: leave \(line.rawValue.lowercased()) out")
    }
  }
}
