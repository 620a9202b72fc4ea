import AlertCore
import Foundation
import TestSupport
import Testing

@testable import Console

struct TokenBookTests {
  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
  }

  @Test func `the first administrator's token is written for the owner alone, once`() throws {
    let folder = try ScratchDirectory()
    let book = TokenBook(folder: folder.path)
    let path = try #require(try book.open().firstToken)
    #expect(try mode(path) == 0o600)
    #expect(try mode(book.path) == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8).dropLast()
    #expect(try book.token(of: String(text))?.scope == .administer)
    #expect(try book.open().firstToken == nil)
    #expect(try String(contentsOfFile: book.path, encoding: .utf8).contains(text) == false)
  }

  @Test func `two books of one folder see each other's tokens`() throws {
    let folder = try ScratchDirectory()
    let (a, b) = (TokenBook(folder: folder.path), TokenBook(folder: folder.path))
    let (token, text) = try a.create(name: "phone", scope: .operate)
    #expect(try b.token(of: text) == token)
    try b.revoke(id: token.id)
    #expect(try a.token(of: text) == nil)
    #expect(throws: TokenBook.Refusal.self) { try a.revoke(id: token.id) }
  }

  @Test func `tokens made at one time are all kept`() async throws {
    let folder = try ScratchDirectory()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for n in 0..<16 {
        group.addTask {
          let folder = folder.path
          try await blocking {
            _ = try TokenBook(folder: folder).create(name: "t\(n)", scope: .observe)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try TokenBook(folder: folder.path).tokens().count == 16)
  }

  @Test(arguments: ["", "a/b", "a\nb", "Ö", String(repeating: "a", count: 65)])
  func `a name that would garble the log is refused`(name: String) throws {
    let folder = try ScratchDirectory()
    #expect(throws: TokenBook.Refusal.self) {
      try TokenBook(folder: folder.path).create(name: name, scope: .observe)
    }
  }

  @Test(arguments: ["", "{", #"{"tokens":[{}]}"#, "\u{0}\u{0}\u{0}\u{0}"])
  func `a damaged file loses no token: its copy is used, and that is said`(damage: String) throws {
    let folder = try ScratchDirectory()
    let book = TokenBook(folder: folder.path)
    _ = try book.open()
    let (token, text) = try book.create(name: "bridge", scope: .feed)
    try damage.write(toFile: book.path, atomically: true, encoding: .utf8)
    // A core that runs goes on, and so does one that starts.
    #expect(try book.token(of: text) == token)
    #expect(book.damage?.contains("is damaged") == true)
    let opened = try TokenBook(folder: folder.path).open()
    #expect(opened.firstToken == nil && opened.damage?.contains("no token is lost") == true)
    #expect(try book.token(of: text) == token && book.damage == nil)
    let asides = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("tokens.json.damaged-") }
    #expect(
      try asides.map { try String(contentsOfFile: folder.path($0), encoding: .utf8) } == [damage])
    #expect(try TokenBook(folder: folder.path).open().damage == nil)
  }

  @Test func `without a copy a damaged file lets nobody in, and a start says what is lost`() throws
  {
    let folder = try ScratchDirectory()
    let book = TokenBook(folder: folder.path)
    _ = try book.open()
    let (_, text) = try book.create(name: "bridge", scope: .feed)
    for name in ["tokens.json", "tokens.json.copy"] {
      try "".write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    }
    #expect(throws: TokenBook.Refusal.self) { try book.token(of: text) }
    #expect(throws: TokenBook.Refusal.self) { try book.create(name: "a", scope: .observe) }
    let opened = try book.open()
    #expect(opened.damage?.contains("it is empty") == true)
    #expect(opened.damage?.contains("fob token create --scope feed") == true)
    let path = try #require(opened.firstToken)
    let first = try String(contentsOfFile: path, encoding: .utf8).dropLast()
    #expect(try book.token(of: String(first))?.scope == .administer)
    #expect(try book.token(of: text) == nil)
  }

  @Test func `who has revoked every token gets none by a start, and an earlier file gets its copy`()
    throws
  {
    let folder = try ScratchDirectory()
    let book = TokenBook(folder: folder.path)
    _ = try book.open()
    let (token, text) = try book.create(name: "phone", scope: .operate)
    try FileManager.default.removeItem(atPath: book.path + ".copy")
    _ = try book.open()
    try "".write(toFile: book.path, atomically: true, encoding: .utf8)
    #expect(try book.token(of: text) == token)
    _ = try book.open()
    for token in try book.tokens() { try book.revoke(id: token.id) }
    #expect(try book.open().firstToken == nil)
    #expect(try book.tokens().isEmpty)
  }

  @Test func `a damaged key of links is set aside and said`() throws {
    let folder = try ScratchDirectory()
    #expect(try Links(folder: folder.path).damage == nil)
    try "x".write(toFile: folder.path("ack-key"), atomically: true, encoding: .utf8)
    let words = try #require(try Links(folder: folder.path).damage)
    #expect(words.contains("held no key") && words.contains("ack-key.damaged-"))
    #expect(try Links(folder: folder.path).damage == nil)
  }

  @Test func `a link is its contact's and its incident's alone, and outlives a restart`() throws {
    let folder = try ScratchDirectory()
    let incident = BenchCore.incident(.emergencySent).id
    let token = try Links(folder: folder.path).acknowledgement(
      of: incident, by: "contact-1", in: .first)
    let links = try Links(folder: folder.path)
    #expect(
      links.acknowledgement(token)
        == Links.Acknowledgement(account: .first, incident: incident, contact: "contact-1"))
    #expect(try mode(folder.path("ack-key")) == 0o600)
    for index in token.indices {
      var changed = Array(token)
      let at = token.distance(from: token.startIndex, to: index)
      changed[at] = changed[at] == "A" ? "B" : "A"
      #expect(links.acknowledgement(String(changed)) == nil)
    }
    #expect(Links(key: Array(repeating: 7, count: 32)).acknowledgement(token) == nil)
  }
}
