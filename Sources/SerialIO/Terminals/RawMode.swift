import Glibc

/// The mode of a terminal that passes bytes unchanged: no echo, no translation, no signals, modem
/// lines ignored, and only the flow control asked for.
enum RawMode {
  /// Sets raw mode; through a pty master, the slave's.
  ///
  /// tcsetattr(3) succeeds if it could make any of the changes, so the mode is read back.
  static func set(
    on terminal: borrowing OwnedDescriptor, flow: SerialSettings.Flow = .none
  ) throws(IOFailure) {
    let number = terminal.number
    let path = terminal.path
    var mode = termios()
    try Syscall.run("read the mode of", path) { tcgetattr(number, &mode) }
    let wanted = raw(from: mode, flow)
    try withUnsafePointer(to: wanted) { (wanted) throws(IOFailure) in
      _ = try Syscall.run("set raw mode on", path) { tcsetattr(number, TCSANOW, wanted) }
    }
    try Syscall.run("read the mode of", path) { tcgetattr(number, &mode) }
    guard mode.c_cflag & hardwareFlowControl == wanted.c_cflag & hardwareFlowControl else {
      throw IOFailure(
        "set flow control on", errno: EINVAL, path: path,
        reason: "the driver has none by wire: leave flow out")
    }
    guard isSame(mode, wanted) else {
      throw IOFailure(
        "set raw mode on", errno: EINVAL, path: path, reason: "the driver kept another mode")
    }
  }

  /// Whether a terminal has the mode that `set` leaves; true for one that cannot be asked.
  static func isSet(on terminal: Int32, _ flow: SerialSettings.Flow) -> Bool {
    var mode = termios()
    guard tcgetattr(terminal, &mode) == 0 else { return true }
    return isSame(mode, raw(from: mode, flow))
  }

  /// Sets raw mode again.
  /// - Returns: whether the terminal has the mode that `set` leaves now.
  static func restore(on terminal: Int32, _ flow: SerialSettings.Flow) -> Bool {
    var mode = termios()
    guard tcgetattr(terminal, &mode) == 0 else { return false }
    mode = raw(from: mode, flow)
    return tcsetattr(terminal, TCSANOW, &mode) == 0 && isSet(on: terminal, flow)
  }

  private static func isSame(_ mode: termios, _ wanted: termios) -> Bool {
    let control = tcflag_t(CREAD | CS8 | HUPCL) | hardwareFlowControl
    return mode.c_iflag == wanted.c_iflag && mode.c_oflag == wanted.c_oflag
      && mode.c_lflag == wanted.c_lflag && mode.c_cflag & control == wanted.c_cflag & control
  }

  private static func raw(from mode: termios, _ flow: SerialSettings.Flow) -> termios {
    var mode = mode
    cfmakeraw(&mode)
    // cfmakeraw(3) leaves these flags alone. A frame may hold XON and XOFF bytes; RTS and CTS count
    // only if asked for; without HUPCL no closing lowers DTR.
    mode.c_iflag &= ~tcflag_t(IXOFF | IXANY)
    mode.c_cflag &= ~(tcflag_t(CSTOPB | HUPCL) | hardwareFlowControl)
    mode.c_cflag |= tcflag_t(CLOCAL | CREAD)
    if flow == .rtscts { mode.c_cflag |= hardwareFlowControl }
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    return mode
  }

  /// CRTSCTS, which the Glibc module does not show.
  private static let hardwareFlowControl: tcflag_t = 0o20_000_000_000
}
