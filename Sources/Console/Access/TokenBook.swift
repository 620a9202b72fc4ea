public import AlertCore
import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization
import SystemCrypto

/// The tokens of one state folder, in `tokens.json`. The file is read again whenever it has
/// changed, so that `fob token` works beside a running core and without one.
///
/// Bridges on other hosts need their tokens to bring presses, so `tokens.json.copy` has the same
/// contents: it is written first, and read if the file is damaged.
public final class TokenBook: Sendable {
  /// Why a token cannot be made or found.
  public struct Refusal: Error, Equatable, CustomStringConvertible {
    /// A clause with a hint; it follows no prefix.
    public let description: String
  }

  /// The file with the tokens, `tokens.json`.
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

  /// - Parameter folder: the state folder, which must exist.
  public init(folder: String) {
    self.folder = folder
    path = folder + "/tokens.json"
    copy = path + ".copy"
  }

  /// What was wrong with the file at the last reading, while its copy is used; nil if it was whole.
  public var damage: String? { read.withLock { $0?.damage } }

  /// All tokens, oldest first. Throws `Refusal` if file and copy are damaged.
  public func tokens() throws -> [Token] { try current().map(\.token) }

  /// Makes a token and writes it durably, beside other processes that do the same.
  /// - Parameter account: the account that it is for; nil: the whole core.
  /// - Returns: the token, and its text, which is stored nowhere.
  /// - Throws: `Refusal` for a bad name or too many tokens; `IOFailure` if it cannot be written.
  public func create(
    name: String, scope: Scope, account: AccountNumber? = nil
  ) throws -> (token: Token, text: String) {
    guard Token.isName(name) else {
      throw Refusal(
        description: "a token's name has 1 to 64 letters, digits, blanks or . _ -")
    }
    guard account == nil || scope != .feed else {
      throw Refusal(description: "a bridge brings the keychains of all accounts: name none")
    }
    let text = "fob_" + Secret.random()
    let token = Token(
      id: String(Secret.random().filter(\.isLetter).prefix(10)), name: name, scope: scope,
      account: account?.rawValue, digest: Hex.text(Secret.digest(text)),
      createdWall: WallClock.now())
    try change { tokens in
      guard tokens.count(where: { $0.account == token.account }) < ConsoleLimits.tokens else {
        throw Refusal(
          description: "there are \(ConsoleLimits.tokens) tokens; revoke one with fob token revoke")
      }
      tokens.append(token)
    }
    return (token, text)
  }

  /// Removes a token durably: its next request and its streams are refused. Throws `Refusal` for an
  /// unknown id.
  public func revoke(id: String) throws {
    try change { tokens in
      guard let index = tokens.firstIndex(where: { $0.id == id }) else {
        throw Refusal(description: "there is no token \(id); fob token list shows them")
      }
      tokens.remove(at: index)
    }
  }

  /// Removes all tokens of an account durably.
  func revoke(of account: AccountNumber) throws {
    try change { tokens in tokens.removeAll { $0.account == account.rawValue } }
  }

  /// Removes, durably, tokens of accounts that there are not: they would be the next owner's.
  func revoke(ofAllBut accounts: [AccountNumber]) throws {
    let known = Set(accounts.map(\.rawValue))
    func isNobodys(_ token: Token) -> Bool { token.account.map { !known.contains($0) } ?? false }
    guard try tokens().contains(where: isNobodys) else { return }
    try change { $0.removeAll(where: isNobodys) }
  }

  /// Opens the book when a core starts. If there never was a token it makes the first
  /// administrator's, and writes its text to `admin-token` for the folder's owner. A damaged file
  /// is set aside, and its copy is used.
  public func open() throws -> Opened {
    guard FileManager.default.fileExists(atPath: path) else {
      return Opened(firstToken: try makeFirst(), damage: nil)
    }
    let kept = try? Self.tokens(in: copy)
    guard let reason = Self.damage(of: path) else {
      // Earlier versions wrote no copy.
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

  /// What a core's start has found and made.
  public struct Opened: Sendable {
    /// The path of the administrator's token; nil unless it was written now.
    public let firstToken: String?
    /// What was wrong with the file and what follows, for the operator; nil if it was whole.
    public let damage: String?
  }

  /// The token with this text; all are compared, so that the time tells nothing.
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
    // A new file never lacks its copy; a copy alone is left of a file that was removed.
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
    // The lock has its own file, since the token file is replaced by a rename.
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

/// A token as it is stored: only the SHA-256 of its text, so that the file lets nobody in.
public struct Token: Codable, Equatable, Sendable {
  /// Ten random letters, by which `fob token revoke` finds it.
  public let id: String
  /// Its name in the log: of a program or a role, never of a person.
  public let name: String
  /// The operations that it may use.
  public let scope: Scope
  /// The number of the account that it is for; nil: the whole core, and of what is one account's
  /// the first's.
  public let account: Int?
  /// SHA-256 in hexadecimal.
  let digest: String
  /// When it was made, µs since 1970.
  public let createdWall: Int64

  /// A name has 1 to 64 letters, digits, blanks, `.`, `_` or `-`.
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

/// Tells the operator about tokens, once for each while the core runs.
final class TokenNotices: Sendable {
  private let tell: @Sendable (String) -> Void
  private let told = Mutex<Set<String>>([])

  init(_ tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

  func tell(_ id: String, _ words: @autoclosure () -> String) {
    let isNew = told.withLock { told in
      // Bounded, since tokens may be revoked and made anew for ever.
      told.count < ConsoleLimits.tokens && told.insert(id).inserted
    }
    if isNew { tell(words()) }
  }
}
