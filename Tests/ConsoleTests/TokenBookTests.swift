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
    let path = try #require(try book.makeFirst())
    #expect(try mode(path) == 0o600)
    #expect(try mode(book.path) == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8).dropLast()
    #expect(try book.token(of: String(text))?.scope == .administer)
    #expect(try book.makeFirst() == nil)
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

  @Test func `a damaged file is said so, and lets nobody in`() throws {
    let folder = try ScratchDirectory()
    try "{".write(toFile: folder.path("tokens.json"), atomically: true, encoding: .utf8)
    #expect(throws: TokenBook.Refusal.self) {
      try TokenBook(folder: folder.path).token(of: "fob_x")
    }
  }

  @Test func `a link is its contact's and its incident's alone, and outlives a restart`() throws {
    let folder = try ScratchDirectory()
    let incident = BenchCore.incident(.emergencySent).id
    let token = try Links(folder: folder.path).acknowledgement(of: incident, by: "contact-1")
    let links = try Links(folder: folder.path)
    #expect(
      links.acknowledgement(token)
        == Links.Acknowledgement(incident: incident, contact: "contact-1"))
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
