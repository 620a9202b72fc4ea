import CLinux
import FobBase
import Glibc

/// A terminal device opened by one end of a line: exclusive, raw, non-blocking.
///
/// Nothing is flushed at opening. Bytes that came before raw mode may have been cooked (CR turned
/// to LF, 0x03 eaten), but a flush cannot tell them from good ones that came a moment later. A
/// damaged frame fails its CRC and is counted; a flushed one would be lost unseen.
///
/// No opening or closing here moves DTR or RTS unless ``SerialSettings`` ask for it. Linux itself
/// does: at every open(2) the driver raises both, before a program can say a word, and at the last
/// close(2) it lowers them if HUPCL is set, as it is in a fresh port. HUPCL is taken off here, so
/// both stay up when the line closes, and no later opening makes an edge. The first opening since
/// the port appeared makes one where the lines were down; no program can prevent that.
public struct SerialLine: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  /// - Throws: `IOFailure` with ENOTTY for what is not a terminal or has not the modem lines asked
  ///   for, EBUSY for one that another process holds, EINVAL where the driver kept another mode or
  ///   rate, else what open(2) or the driver says. An opening that is refused because the line is
  ///   held has changed nothing on it: the lock comes before the mode.
  public init(path: String, settings: SerialSettings = SerialSettings()) throws(IOFailure) {
    descriptor = try SerialLine.open(path, settings)
  }

  /// Gives the descriptor up to an owner that reads it.
  public consuming func intoDescriptor() -> OwnedDescriptor { descriptor }

  private static func open(
    _ path: String, _ settings: SerialSettings
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
    // First of all, for HUPCL: what fails from here on closes the line, and must make no edge.
    try RawMode.set(on: line, flow: settings.flow)
    if let baud = settings.baud { try setSpeed(baud, of: line) }
    // TIOCEXCL stops those who ask no lock. A pty keeps the flag when its holder dies, for as
    // long as the master lives, and then nobody but root could open it again: flock alone there.
    if !isPseudoTerminal(try line.status()) {
      try Syscall.run("claim", path) { ioctl(number, UInt(TIOCEXCL)) }
    }
    var lines = PortModemLines(number: number, path: path)
    try settings.setLines(&lines)
    return line
  }

  /// Read back: a driver that cannot make a rate makes the nearest one and says nothing. A sender
  /// and a receiver that are 3 % apart still understand each other, as half a bit is left at the
  /// end of ten.
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

/// A wire from the host that a program may raise and lower.
enum ModemLine: String, Hashable, Sendable {
  case dtr = "DTR"
  case rts = "RTS"
}

/// The one way to a port's modem lines, so that a test can note in which order it is used.
protocol ModemLines {
  mutating func raise(_ line: ModemLine) throws(IOFailure)
  mutating func lower(_ line: ModemLine) throws(IOFailure)
  mutating func hold(_ time: Interval) throws(IOFailure)
}

extension SerialSettings {
  /// Between the two edges of a DTR pulse.
  static let pulseLength = Interval.milliseconds(100)

  /// Touches a line only if it is asked for. RTS first: boards that take DTR for a reset read it.
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
      // A pty says ENOTTY, a driver without them EINVAL.
      guard error.errno == ENOTTY || error.errno == EINVAL else { throw error }
      throw IOFailure(
        operation, errno: error.errno, path: path,
        reason: "it has no modem lines: leave \(line.rawValue.lowercased()) out")
    }
  }
}
