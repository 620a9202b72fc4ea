import FobBase
import Glibc

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
