import Glibc
import SerialIO

/// A line of standard input that nobody is to see.
enum TypedSecret {
  private static let longest = 64
  private static let interrupt: UInt8 = 3

  /// On a terminal it is asked for, and not shown as it is typed; Ctrl-C ends the process. Nothing
  /// behind the line is read.
  static func read(_ prompt: String) throws(IOFailure) -> SecretBytes {
    var mode = termios()
    guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return try line() }
    var hidden = mode
    // Ctrl-C ends the line in place of the process, which would leave the terminal mute.
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    hidden.c_cc.11 = interrupt
    Terminal.ask(prompt)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
      Terminal.error("")
    }
    return try line()
  }

  private static func line() throws(IOFailure) -> SecretBytes {
    var bytes = SecretBytes(capacity: longest)
    var byte: UInt8 = 0
    while try Syscall.run("read", "standard input", { Glibc.read(STDIN_FILENO, &byte, 1) }) == 1 {
      if byte == interrupt {
        throw IOFailure("read", errno: EINTR, path: "standard input", reason: "it was interrupted")
      }
      if byte == 0x0A { break }
      guard bytes.append(byte) else {
        throw IOFailure("read", errno: EFBIG, path: "standard input")
      }
    }
    return bytes
  }
}
