import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import SystemCrypto

/// The tokens of one state folder, in `tokens.json`: read again whenever the file has changed, so
/// that `fob token` works beside a running core and without it.
///
/// Bridges on other hosts bring presses by tokens, so `tokens.json.copy` has the same: it is
/// written first, and read where the file is damaged.
public final class TokenBook: Sendable {
  /// Why a token cannot be made or found.
  public struct Refusal: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  public let path: String
  private let folder: String
  private let copy: String
  private let read = Mutex<Reading?>(nil)

  private struct Reading {
    let stamp: FileStamp
    let tokens: [(token: Token, digest: [UInt8])]
    let damage: String?
  }

  private struct Contents: Codable { var tokens: [Token] }

  /// - Parameter folder: the state folder, which must be there.
  public init(folder: String) {
    self.folder = folder
    path = folder + "/tokens.json"
    copy = path + ".copy"
  }

  /// What is wrong with the file, as it was read last; its copy is used.
  public var damage: String? { read.withLock { $0?.damage } }

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
      digest: Hex.text(Secret.digest(text)), createdWall: WallClock.now())
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

  /// Makes the first administrator's token, where there was never any, and writes it to
  /// `admin-token` for whoever owns the folder. A file that is damaged is no such place: it is set
  /// aside, and its copy is used.
  public func open() throws -> Opened {
    guard FileManager.default.fileExists(atPath: path) else {
      return Opened(firstToken: try makeFirst(), damage: nil)
    }
    let kept = try? Self.tokens(in: copy)
    guard let reason = Self.damage(of: path) else {
      // An earlier version has written none.
      if try kept != tokens() { try change { _ in } }
      return Opened(firstToken: nil, damage: nil)
    }
    var words = "\(path) is damaged: \(reason); it is set aside beside it, "
    guard kept == nil else {
      try change { _ in }
      words += "and its copy is used: no token is lost"
      return Opened(firstToken: nil, damage: words)
    }
    _ = try PrivateFile.setAside(path)
    if FileManager.default.fileExists(atPath: copy) { _ = try PrivateFile.setAside(copy) }
    words +=
      "and it has no copy: every token of before is refused, and bridges on other hosts wait with"
      + " their presses; make each token anew, a bridge's by fob token create --scope feed"
    return Opened(firstToken: try makeFirst(), damage: words)
  }

  private func makeFirst() throws -> String {
    let (_, text) = try create(name: "admin", scope: .administer)
    let path = folder + "/admin-token"
    try PrivateFile.write(Array((text + "\n").utf8), to: path)
    return path
  }

  public struct Opened: Sendable {
    /// The path of the administrator's token if it was written now.
    public let firstToken: String?
    /// What was wrong with the file and what follows, for whoever runs the core.
    public let damage: String?
  }

  /// The token that reads so; every one is compared, whichever it is.
  func token(of text: String) throws -> Token? {
    let digest = Secret.digest(text)
    var found: Token?
    for (token, known) in try current() where Digests.isSame(digest, known) { found = token }
    return found
  }

  func has(id: String) throws -> Bool { try current().contains { $0.token.id == id } }

  private func current() throws -> [(token: Token, digest: [UInt8])] {
    let stamp = FileStamp(of: path)
    if let read = read.withLock({ $0 }), read.stamp == stamp { return read.tokens }
    let (stored, damage) = try stored()
    let tokens = stored.map { ($0, Hex.bytes($0.digest) ?? []) }
    read.withLock { $0 = Reading(stamp: stamp, tokens: tokens, damage: damage) }
    return tokens
  }

  private func stored() throws -> ([Token], damage: String?) {
    // A new file is never there without its copy; the copy alone is of one that was removed.
    guard FileManager.default.fileExists(atPath: path) else { return ([], nil) }
    guard let reason = Self.damage(of: path) else { return (try Self.tokens(in: path), nil) }
    guard let kept = try? Self.tokens(in: copy) else {
      throw Refusal(
        description: "\(path) is damaged: \(reason); so is its copy. The core sets it aside when"
          + " it starts, and writes a new administrator's token; or move it away yourself")
    }
    return (kept, "\(path) is damaged: \(reason); its copy is used, and no token is lost")
  }

  private static func tokens(in path: String) throws -> [Token] {
    let tokens = try JSONDecoder().decode(
      Contents.self, from: Data(contentsOf: URL(filePath: path))
    ).tokens
    if let bad = tokens.first(where: { Hex.bytes($0.digest)?.count != 32 }) {
      throw Refusal(description: "token \(bad.id) has no digest")
    }
    return tokens
  }

  private static func damage(of path: String) -> String? {
    do {
      _ = try tokens(in: path)
      return nil
    } catch let refusal as Refusal {
      return refusal.description
    } catch is DecodingError {
      let size = (try? Data(contentsOf: URL(filePath: path)).count) ?? 0
      return size == 0 ? "it is empty" : "it does not read as tokens"
    } catch {
      return "it cannot be read"
    }
  }

  private func change(_ edit: (inout [Token]) throws -> Void) throws {
    // A file of its own: the one that is renamed over could be locked twice.
    let lock = try Syscall.open(folder + "/tokens.lock", O_RDWR | O_CREAT, mode: 0o600)
    let number = lock.number
    try Syscall.run("lock", lock.path) { flock(number, LOCK_EX) }
    var (tokens, damage) = try stored()
    try edit(&tokens)
    if damage != nil { _ = try PrivateFile.setAside(path) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let bytes = Array(try encoder.encode(Contents(tokens: tokens)))
    try PrivateFile.write(bytes, to: copy)
    try PrivateFile.write(bytes, to: path)
    _ = consume lock
  }
}

/// A token as it is kept: of its text the SHA-256 alone, so that the file lets nobody in.
public struct Token: Codable, Equatable, Sendable {
  public let id: String
  /// For the log: of a program or a role, never of a person.
  public let name: String
  public let scope: Scope
  /// Hexadecimal.
  let digest: String
  /// µs since 1970.
  public let createdWall: Int64

  /// What a name may be: 1 to 64 of letters, digits, blank, `.`, `_`, `-`.
  static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}

/// What the operator is told about tokens, once of each while the core runs.
final class TokenNotices: Sendable {
  private let tell: @Sendable (String) -> Void
  private let told = Mutex<Set<String>>([])

  init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

  func tell(_ id: String, _ words: @autoclosure () -> String) {
    let isNew = told.withLock { told in
      // Tokens that are revoked and made anew are not counted for ever.
      told.count < ConsoleLimits.tokens && told.insert(id).inserted
    }
    if isNew { tell(words()) }
  }
}
