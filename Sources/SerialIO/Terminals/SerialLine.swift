import CLinux
import Glibc

/// A terminal device opened by a host: exclusive, raw, non-blocking.
///
/// Nothing is flushed at opening. Bytes that came before raw mode may have been cooked (CR turned
/// to LF, 0x03 eaten), but a flush cannot tell them from good ones that came a moment later. A
/// damaged frame fails its CRC and is counted; a flushed one would be lost unseen.
public struct SerialLine: ~Copyable, Sendable {
  private let descriptor: OwnedDescriptor

  /// - Parameter baud: bits per second, any number the driver can make; nil keeps the device's.
  /// - Throws: `IOFailure` with ENOTTY for what is not a terminal, EBUSY for one that another
  ///   process holds, else what open(2) or the driver says. A refused opening has changed
  ///   nothing on the line: the lock comes before the mode.
  public init(path: String, baud: UInt32? = nil) throws(IOFailure) {
    descriptor = try SerialLine.open(path, baud: baud)
  }

  /// Gives the descriptor up to an owner that reads it.
  public consuming func intoDescriptor() -> OwnedDescriptor { descriptor }

  private static func open(_ path: String, baud: UInt32?) throws(IOFailure) -> OwnedDescriptor {
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
    try RawMode.set(on: line)
    if let baud {
      try Syscall.run("set \(baud) baud on", path) { clinux_set_speed(number, baud) }
    }
    // TIOCEXCL stops those who ask no lock. A pty keeps the flag when its holder dies, for as
    // long as the master lives, and then nobody but root could open it again: flock alone there.
    if !isPseudoTerminal(try line.status()) {
      try Syscall.run("claim", path) { ioctl(number, UInt(TIOCEXCL)) }
    }
    return line
  }

  private static func held(_ path: String) -> IOFailure {
    IOFailure("open", errno: EBUSY, path: path, reason: "another process holds it")
  }

  /// Unix98 slaves have majors 136 to 143 (Linux, admin-guide/devices.txt).
  private static func isPseudoTerminal(_ status: stat) -> Bool {
    (136...143).contains((status.st_rdev >> 8) & 0xFFF)
  }
}
