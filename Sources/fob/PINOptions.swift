import ArgumentParser
import Bridge
import Glibc
import SerialIO

/// Where a PIN comes from: never the command line, which every user of this host can read.
struct PINOptions: ParsableArguments {
  @Option(
    name: .customLong("pin"), parsing: .unconditional,
    help: ArgumentHelp(
      "The PIN, four digits: - asks for it without showing it, or reads standard input.",
      valueName: "-"))
  var source: String?

  @Option(
    name: .customLong("pin-file"),
    help: "The PIN from a file of mode 0600, or from a systemd credential by its name.")
  var file: String?

  static let refusal =
    "a PIN in a command line can be read by every user of this host: write --pin - and type it, or"
    + " --pin-file FILE"

  func validate() throws {
    guard source == nil || source == "-" else { throw ValidationError(Self.refusal) }
    guard source == nil || file == nil else {
      throw ValidationError("--pin and --pin-file: give one of them")
    }
  }

  var isGiven: Bool { source != nil || file != nil }

  /// Nil where none is given.
  func read() throws(Failure) -> PIN? {
    if source != nil { return try Self.typed() }
    guard let file else { return nil }
    return try Self.stored(in: file)
  }

  static func typed() throws(Failure) -> PIN {
    do throws(IOFailure) {
      return try pin(TypedSecret.read("PIN: "), "standard input")
    } catch {
      throw Failure(error)
    }
  }

  static func stored(in place: String) throws(Failure) -> PIN {
    do throws(IOFailure) {
      return try pin(SecretFile.read(place, longest: 64), place)
    } catch {
      throw Failure(error)
    }
  }

  private static func pin(_ bytes: borrowing SecretBytes, _ place: String) throws(IOFailure) -> PIN
  {
    guard let pin = bytes.line.flatMap({ PIN($0) }) else {
      throw IOFailure(
        "read", errno: EINVAL, path: place, reason: "its first line is no PIN of four digits")
    }
    return pin
  }
}

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
