import ArgumentParser
import Glibc
import SerialIO
import Sinks

/// Where the core is, for `fob bridge`, if not in its own process.
struct RemoteCoreOptions: ParsableArguments {
  @Option(help: "The core is on another host: https://HOST:PORT.")
  var core: String?

  @Option(
    help:
      "With --core, the file with its token, of scope feed; mode 0600, or a credential's name.")
  var tokenFile: String?

  @Option(
    help: "With --core, a PEM file of whom to trust. (default: the system's authorities)")
  var ca: String?

  @Flag(help: "With --core, http to another host, too: the token goes in clear text.")
  var insecure = false

  func validate() throws {
    guard core != nil || (tokenFile == nil && ca == nil && !insecure) else {
      throw ValidationError("--token-file, --ca and --insecure say nothing without --core")
    }
    guard core == nil || tokenFile != nil else {
      throw ValidationError(
        "--core needs --token-file FILE; make a token on the core's host with"
          + " fob token create --scope feed")
    }
    _ = try address()
  }

  private func address() throws -> RemoteCoreAddress? {
    do {
      return try core.map { try RemoteCoreAddress($0, caFile: ca, allowsPlain: insecure) }
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// Nil: the core is in this process.
  func client() throws -> RemoteCore? {
    guard let address = try address(), let tokenFile else { return nil }
    let token = try Self.token(in: tokenFile)
    do {
      return try RemoteCore(address, token: token)
    } catch {
      throw Failure(.cannotOpen, "\(error)")
    }
  }

  private static func token(in path: String) throws(Failure) -> String {
    let text: String?
    do {
      text = try SecretFile.read(path).text
    } catch {
      throw Failure(
        .cannotOpen, error.errno == ENOENT ? "\(error); it is made by fob token create" : "\(error)"
      )
    }
    let token = text?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    guard (1...512).contains(token.utf8.count), token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { throw Failure(.cannotOpen, "\(path) has no token in its first line") }
    return token
  }
}
