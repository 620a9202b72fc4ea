import ArgumentParser
import Bridge
import Glibc
import SerialIO

/// Where a PIN comes from: never the command line, which every user of this host can read.
struct PINOptions: ParsableArguments {
  @Option(
    name: .customLong("pin"), parsing: .unconditional,
    help: ArgumentHelp(
      "Sets the PIN, four digits: - reads it from standard input, unseen where it is typed.",
      valueName: "-"))
  var source: String?

  @Option(
    name: .customLong("pin-file"),
    help: "Sets the PIN: a file that its owner alone can read, or a credential's name.")
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
