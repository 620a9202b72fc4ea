import AlertCore
import Bridge
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing

@testable import Console

/// The erasure of an account by the API, on a real bridge and a real store (R86).
@Suite final class LiveErasureTests {
  private static let word = "Zaunkoenig"

  private static let nextOwner =
    #"{"name":"Owner 2","email":"owner2@example.org","mobile":"+15555550109","country":"US"}"#

  private let folder: ScratchDirectory
  private let store: AlertStore
  private let bridge: AlertBridge

  init() throws {
    folder = try ScratchDirectory()
    store = try AlertStore(directory: folder.path("state"))
    var account = BenchCore.owner
    account.name = "Owner \(Self.word)"
    account.email = "\(Self.word)@example.org"
    account.contacts[0].name = Self.word
    account.pinHash = PIN("2468")!.hash()
    try store.setAccount(account)
    bridge = try AlertBridge(account: account, store: store, sinks: []) { _ in }
    try bridge.start([])
  }

  deinit { bridge.stop() }

  /// What an owner enters, each with the word in it.
  private static let entered: [(method: String, path: String, json: String)] = [
    ("POST", "/v1/reviews", "{}"),
    ("PUT", "/v1/reviews/1/steps/1", #"{"text":"\#(word)","version":0}"#),
    (
      "PUT", "/v1/messages/slots/1",
      #"{"contact":"contact-1","message":"\#(word)","pin":"2468"}"#
    ),
    ("POST", "/v1/affirmations", #"{"text":"\#(word)"}"#),
    ("PUT", "/v1/help/links", #"{"links":[{"label":"\#(word)","phone":"988"}]}"#),
    (
      "POST", "/v1/check-ins/series",
      #"""
      {"description":"\#(word)","rule":{"kind":"days","every":1},"time":"23:00",
      "start":"2099-01-01","pin":"2468"}
      """#
    ),
  ]

  private func ask(
    _ rig: Rig, _ method: String, _ path: String, _ json: String? = nil
  ) async throws -> (status: Int, code: String?, text: String) {
    let answer = try await rig.ask(method, path, json: json, headers: ["Fob-PIN": "2468"])
    let body: JSONValue = (try? answer.json()) ?? .null
    return (answer.status, body["code"]?.text, answer.text)
  }

  private func run(_ body: (Rig) async throws -> Void) async throws {
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store))
    do {
      for entry in Self.entered {
        let answer = try await ask(rig, entry.method, entry.path, entry.json)
        #expect(answer.status < 300, "\(entry.path): \(answer.text)")
      }
      try await body(rig)
    } catch {
      await rig.server.stop()
      throw error
    }
    await rig.server.stop()
  }

  /// The files of the state folder that have the word.
  private func filesWithIt() throws -> [String] {
    let state = folder.path("state")
    return try FileManager.default.contentsOfDirectory(atPath: state).sorted().filter {
      try Data(contentsOf: URL(filePath: "\(state)/\($0)")).range(of: Data(Self.word.utf8)) != nil
    }
  }

  @Test func `R86: it asks for the PIN and for a word, and takes nothing without them`()
    async throws
  {
    try await run { rig in
      let refused: [(json: String, status: Int, code: String)] = [
        (#"{"confirm":"delete"}"#, 403, "pinNeeded"),
        (#"{"pin":"1357","confirm":"delete"}"#, 403, "wrongPIN"),
        (#"{"pin":"2468"}"#, 422, "invalid"),
        (#"{"pin":"2468","confirm":"yes"}"#, 422, "invalid"),
      ]
      for (json, status, code) in refused {
        let answer = try await ask(rig, "DELETE", "/v1/account", json)
        #expect(answer.status == status && answer.code == code, "\(json): \(answer)")
      }
      #expect(try await ask(rig, "GET", "/v1/reviews/1").text.contains(Self.word))
    }
  }

  @Test func `R86: afterwards no answer, no file and no exported state has a word of the owner`()
    async throws
  {
    try await run { rig in
      #expect(try filesWithIt() != [])
      let done = try await ask(
        rig, "DELETE", "/v1/account", #"{"pin":"2468","confirm":"delete"}"#)
      #expect(done.status == 200)
      #expect(try filesWithIt() == [])
      #expect(try await ask(rig, "GET", "/v1/account").code == "noAccount")
      let paths = [
        "/v1/log", "/v1/status", "/metrics", "/v1/contacts", "/v1/messages/slots", "/v1/messages",
        "/v1/help/links", "/v1/check-ins", "/v1/check-ins/series", "/v1/check-ins/history",
        "/v1/reviews", "/v1/reviews/export", "/v1/affirmations", "/v1/affirmations/mantras.txt",
      ]
      for path in paths {
        let answer = try await ask(rig, "GET", path)
        #expect(!answer.text.contains(Self.word), "\(path)")
      }
      #expect(try await ask(rig, "GET", "/v1/log").text.contains("account erased"))
      var document = ""
      try StateExport.write(directory: folder.path("state")) { document += $0 }
      #expect(!document.contains(Self.word))
    }
  }

  @Test func `R86: asked for again, the PIN of the account that is gone is not called wrong`()
    async throws
  {
    try await run { rig in
      let erasure = #"{"pin":"2468","confirm":"delete"}"#
      #expect(try await ask(rig, "DELETE", "/v1/account", erasure).status == 200)
      for _ in 0..<7 {
        let again = try await ask(rig, "DELETE", "/v1/account", erasure)
        #expect(again.status == 409 && again.code == "noAccount", "\(again)")
      }
    }
  }

  /// Each rewrites the store, which holds every account's acks up.
  @Test func `who makes the account anew again and again waits to erase it a fifth time`()
    async throws
  {
    try await run { rig in
      let (again, erasure) = (#"{"confirm":"delete"}"#, #"{"pin":"2468","confirm":"delete"}"#)
      for round in 1...4 {
        let done = try await ask(rig, "DELETE", "/v1/account", round == 1 ? erasure : again)
        #expect(done.status == 200)
        #expect(try await ask(rig, "POST", "/v1/account", Self.nextOwner).status == 201)
      }
      let refused = try await ask(rig, "DELETE", "/v1/account", again)
      #expect(refused.status == 429 && refused.code == "tooManyChanges")
      #expect(try await ask(rig, "GET", "/v1/account").status == 200)
    }
  }

  @Test func `R86: the next account begins with nothing of the one before`() async throws {
    try await run { rig in
      _ = try await ask(rig, "DELETE", "/v1/account", #"{"pin":"2468","confirm":"delete"}"#)
      let made = try await ask(rig, "POST", "/v1/account", Self.nextOwner)
      #expect(made.status == 201)
      #expect(try await ask(rig, "GET", "/v1/contacts").text.contains("contact-") == false)
      #expect(try await rig.ask("GET", "/v1/reviews/1").status == 404)
    }
  }
}
