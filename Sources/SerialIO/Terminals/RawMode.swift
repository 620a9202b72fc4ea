import Glibc

/// Bytes as they are: no echo, no translation, no signals, no modem lines that matter, and no flow
/// control but the one asked for.
enum RawMode {
  /// Through a pty master this sets the slave's mode.
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
    let control = tcflag_t(CREAD | CS8 | HUPCL)
    guard mode.c_iflag == wanted.c_iflag, mode.c_oflag == wanted.c_oflag,
      mode.c_lflag == wanted.c_lflag, mode.c_cflag & control == wanted.c_cflag & control
    else {
      throw IOFailure(
        "set raw mode on", errno: EINVAL, path: path, reason: "the driver kept another mode")
    }
  }

  private static func raw(from mode: termios, _ flow: SerialSettings.Flow) -> termios {
    var mode = mode
    cfmakeraw(&mode)
    // What cfmakeraw(3) leaves alone: a frame may hold XON and XOFF, and no wire has RTS or CTS,
    // unless it is said otherwise. Without HUPCL no closing lowers DTR.
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
