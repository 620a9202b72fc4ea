import Foundation
import Glibc
import SerialIO
import Synchronization

/// The tokens of one state folder, in `tokens.json`: read again whenever the file has changed, so
/// that `fob token` works beside a running core and without it.
public final class TokenBook: Sendable {
  /// Why a token cannot be made or found.
  public struct Refusal: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  public let path: String
  private let folder: String
  private let read = Mutex<Reading?>(nil)

  private struct Reading {
    let stamp: FileStamp
    let tokens: [(token: Token, digest: [UInt8])]
  }

  private struct Contents: Codable { var tokens: [Token] }

  /// - Parameter folder: the state folder, which must be there.
  public init(folder: String) {
    self.folder = folder
    path = folder + "/tokens.json"
  }

  /// Oldest first.
  public func tokens() throws -> [Token] { try current().map(\.token) }

  /// - Returns: the token, and its text, which is kept nowhere.
  public func create(name: String, scope: Scope) throws -> (token: Token, text: String) {
    guard Token.isName(name) else {
      throw Refusal(
        description: "a token's name has 1 to 64 letters, digits, blanks or . _ -")
    }
    let text = "fob_" + Secret.random()
    let token = Token(
      id: String(Secret.random().filter(\.isLetter).prefix(10)), name: name, scope: scope,
      digest: Self.hex(Secret.digest(text)), createdWall: WallClock.now())
    try change { tokens in
      guard tokens.count < ConsoleLimits.tokens else {
        throw Refusal(
          description: "there are \(ConsoleLimits.tokens) tokens; revoke one with fob token revoke")
      }
      tokens.append(token)
    }
    return (token, text)
  }

  public func revoke(id: String) throws {
    try change { tokens in
      guard let index = tokens.firstIndex(where: { $0.id == id }) else {
        throw Refusal(description: "there is no token \(id); fob token list shows them")
      }
      tokens.remove(at: index)
    }
  }

  /// Makes the first administrator's token, where there is none at all, and writes it to
  /// `admin-token` for whoever owns the folder.
  /// - Returns: the path of that file if it was written now.
  public func makeFirst() throws -> String? {
    guard try tokens().isEmpty else { return nil }
    let (_, text) = try create(name: "admin", scope: .administer)
    let path = folder + "/admin-token"
    try PrivateFile.write(Array((text + "\n").utf8), to: path)
    return path
  }

  /// The token that reads so; every one is compared, whichever it is.
  func token(of text: String) throws -> Token? {
    let digest = Secret.digest(text)
    var found: Token?
    for (token, known) in try current() where Secret.isSame(digest, known) { found = token }
    return found
  }

  private func current() throws -> [(token: Token, digest: [UInt8])] {
    let stamp = FileStamp(of: path)
    if let read = read.withLock({ $0 }), read.stamp == stamp { return read.tokens }
    let tokens = try stored().map { ($0, Self.bytes(hex: $0.digest)) }
    read.withLock { $0 = Reading(stamp: stamp, tokens: tokens) }
    return tokens
  }

  private func stored() throws -> [Token] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      return try JSONDecoder().decode(
        Contents.self, from: Data(contentsOf: URL(filePath: path))
      ).tokens
    } catch {
      throw Refusal(
        description: "cannot read \(path): \(error); remove it and make new tokens")
    }
  }

  private func change(_ edit: (inout [Token]) throws -> Void) throws {
    // A file of its own: the one that is renamed over could be locked twice.
    let lock = try Syscall.open(folder + "/tokens.lock", O_RDWR | O_CREAT, mode: 0o600)
    let number = lock.number
    try Syscall.run("lock", lock.path) { flock(number, LOCK_EX) }
    var tokens = try stored()
    try edit(&tokens)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try PrivateFile.write(Array(try encoder.encode(Contents(tokens: tokens))), to: path)
    _ = consume lock
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private static func bytes(hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count - 1, by: 2).compactMap { at in
      let start = hex.utf8.index(hex.startIndex, offsetBy: at)
      return UInt8(hex[start..<hex.utf8.index(start, offsetBy: 2)], radix: 16)
    }
  }
}
