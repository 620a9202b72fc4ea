import AlertCore
import Bridge
import FobBase
import Foundation
import HTTPTypes
import Sinks
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Console

/// The API on a real bridge and a real store.
struct LiveTests {
  private struct Status: Decodable {
    struct Account: Decodable {
      let exists: Bool
      let isProtecting: Bool
    }
    let state: String
    let account: Account
    let warnings: [String]
  }

  /// - Parameter body: gets a way to ask as administrator.
  private func run(
    mail: AlertBridge.Mail? = nil,
    _ body: ((String, String, String?) async throws -> RawClient.Response) async throws -> Void
  ) async throws {
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path("state"))
    let bridge = try AlertBridge(account: .none, store: store, sinks: [], mail: mail) { _ in }
    try bridge.start([])
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store))
    do {
      try await body { method, path, json in try await rig.ask(method, path, json: json) }
    } catch {
      await rig.server.stop()
      bridge.stop()
      throw error
    }
    await rig.server.stop()
    bridge.stop()
  }

  private static let profile = #"""
    {"name":"Owner","email":"owner@example.org","mobile":"+15555550100","country":"US"}
    """#

  @Test func `an account is made, secured and protected, and its log says who did it`() async throws
  {
    try await run { ask in
      #expect(try await ask("GET", "/v1/account", nil).status == 404)
      #expect(try await ask("POST", "/v1/account", Self.profile).status == 201)
      #expect(try await ask("POST", "/v1/account", Self.profile).status == 409)
      let contact = #"{"name":"Contact 1","numbers":[{"number":"+15555550101","chosen":true}]}"#
      #expect(try await ask("POST", "/v1/contacts", contact).status == 201)
      #expect(try await ask("PUT", "/v1/account/pin", #"{"pin":"2468"}"#).status == 200)
      #expect(try await ask("POST", "/v1/account/set-up/finish", nil).status == 200)
      let unproven = try await ask("PATCH", "/v1/account", #"{"name":"Owner 2"}"#)
      #expect(unproven.status == 403)
      #expect(try unproven.json(ProblemBody.self).code == "pinNeeded")
      let wrong = try await ask("PATCH", "/v1/account", #"{"name":"Owner 2","pin":"1111"}"#)
      #expect(try wrong.json(ProblemBody.self).code == "wrongPIN")
      let right = try await ask("PATCH", "/v1/account", #"{"name":"Owner 2","pin":"2468"}"#)
      #expect(right.status == 200)
      #expect(try await ask("PUT", "/v1/protection", nil).status == 200)
      let status: Status = try await ask("GET", "/v1/status", nil).json()
      #expect(status.account.exists && status.account.isProtecting)
      let log = try await ask("GET", "/v1/log", nil).text
      #expect(log.contains(#""who":"administer""#))
      for secret in ["+15555550101", "Contact 1", "example.org"] {
        #expect(!log.contains(secret), "\(secret)")
      }
      // As numbers of their own: a time has such digits by chance.
      let numbers = Set(log.split { !$0.isNumber })
      #expect(numbers.isDisjoint(with: ["2468", "1111"]))
    }
  }

  /// R4, R11: who comes with it next is asked "Is this you?".
  @Test func `a keychain stays its account's while nobody is logged in`() async throws {
    try await run { ask in
      let path = "/v1/devices/\(BenchCore.device.text)/claim"
      _ = try await ask("POST", "/v1/account", Self.profile)
      #expect(try await ask("PUT", path, nil).status == 200)
      #expect(try await ask("GET", path, nil).text.contains("owne****@example.org"))
      #expect(try await ask("POST", "/v1/account/logout", nil).status == 200)
      #expect(try await ask("GET", path, nil).text.contains("owne****@example.org"))
      let refused = try await ask("PUT", path, nil)
      #expect(try refused.json(ProblemBody.self).code == "claimed")
    }
  }

  /// R119, R121, R123.
  @Test func `with a PIN the account logs out by it alone`() async throws {
    try await run { ask in
      _ = try await ask("POST", "/v1/account", Self.profile)
      #expect(try await ask("PUT", "/v1/account/pin", #"{"pin":"2468"}"#).status == 200)
      for (body, code) in [("{}", "pinNeeded"), (#"{"pin":"1111"}"#, "wrongPIN")] {
        let refused = try await ask("POST", "/v1/account/logout", body)
        #expect(refused.status == 403)
        #expect(try refused.json(ProblemBody.self).code == code)
      }
      #expect(try await ask("POST", "/v1/account/set-up/finish", nil).status == 200)
      for (body, status) in [("{}", 403), (#"{"pin":"1111"}"#, 403), (#"{"pin":"2468"}"#, 200)] {
        #expect(try await ask("POST", "/v1/account/pin/check", body).status == status)
      }
      let contact = #"{"name":"Contact 2","numbers":[{"number":"(614) 867-5309","chosen":true}]}"#
      let added = try await ask("POST", "/v1/contacts", contact)
      #expect(added.status == 201 && added.text.contains("+16148675309"), "R121, R123")
      for (body, kept) in [
        (#"{"language":"de","pin":"2468"}"#, true), (#"{"name":"B","pin":"2468"}"#, true),
        (#"{"language":null,"pin":"2468"}"#, false),
      ] {
        let edited = try await ask("PATCH", "/v1/contacts/contact-1", body)
        #expect(edited.text.contains(#""language":"de""#) == kept, "\(body)")
      }
      #expect(try await ask("POST", "/v1/account/logout", #"{"pin":"2468"}"#).status == 200)
    }
  }

  private static func start(
    _ ask: (String, String, String?) async throws -> RawClient.Response
  ) async throws {
    _ = try await ask("POST", "/v1/account", Self.profile)
    #expect(try await ask("PUT", "/v1/account/pin", #"{"pin":"2468"}"#).status == 200)
    let claim = "/v1/devices/\(BenchCore.device.text)/claim"
    #expect(try await ask("PUT", claim, nil).status == 200)
    #expect(try await ask("PUT", "/v1/protection", nil).status == 200)
    let trigger = #"{"source":"fall","device":"\#(BenchCore.device.text)","key":"1"}"#
    #expect(try await ask("POST", "/v1/triggers", trigger).status == 202)
  }

  @Test func `R10, R118: a forgotten PIN is mailed in an open alarm, and ends it`() async throws {
    let mails = Mutex<[String]>([])
    let mail: AlertBridge.Mail = { _, _, text, _ in mails.withLock { $0.append(text) } }
    try await run(mail: mail) { ask in
      try await Self.start(ask)
      #expect(try await ask("PATCH", "/v1/account", #"{"name":"B","pin":"2468"}"#).status == 423)
      #expect(try await ask("POST", "/v1/account/pin/forgot", nil).status == 200)
      let text = mails.withLock { $0.first } ?? ""
      let pin = try #require(text.firstMatch(of: /Your new PIN is ([0-9]{4})/)?.output.1)
      let disarm = #"{"pin":"\#(pin)"}"#
      #expect(try await ask("POST", "/v1/incidents/current/disarm", disarm).status == 200)
    }
  }

  private struct Past: Decodable {
    struct Survey: Decodable { let outcome: String? }

    let id: String
    let device: String
    let survey: Survey?
  }

  private struct List: Decodable { let incidents: [Past] }

  @Test func `the outcome of an incident can be said after resume, and is kept`() async throws {
    try await run { ask in
      try await Self.start(ask)
      #expect(
        try await ask("POST", "/v1/incidents/current/disarm", #"{"pin":"2468"}"#).status == 200)
      #expect(try await ask("POST", "/v1/incidents/current/resume", nil).status == 200)
      let before: List = try await ask("GET", "/v1/incidents", nil).json()
      let id = try #require(before.incidents.first?.id)
      #expect(before.incidents.first?.device == BenchCore.device.text, "text, as every id")
      let path = "/v1/incidents/\(id)"
      #expect(try await ask("POST", path + "/survey", #"{"outcome":"false"}"#).status == 200)
      #expect(try await ask("POST", path + "/survey", #"{"fell":true}"#).status == 200)
      let after: List = try await ask("GET", "/v1/incidents", nil).json()
      #expect(after.incidents.first?.survey?.outcome == "false")
      let document = try await ask("GET", path, nil).text
      #expect(document.contains(#""fell":true"#) && document.contains(#""outcome":"false""#))
      let other = path.dropLast() + (path.hasSuffix("0") ? "1" : "0")
      #expect(try await ask("POST", other + "/survey", #"{"fell":true}"#).status == 404)
    }
  }

  @Test func `every answer of a real core has the shape that the document says`() async throws {
    try await run { ask in
      _ = try await ask("POST", "/v1/account", Self.profile)
      for operation in OperationTable.standard.operations
      where operation.method == .get && operation.path != "/v1/events" {
        let answer = try await ask("GET", AuthorizationTests.path(of: operation), nil)
        let success = operation.success.first { $0.status.code == answer.status }
        guard let success else {
          #expect(operation.allProblems.contains(answer.status), "\(operation.name)")
          continue
        }
        guard case .json(let schema) = success.content else { continue }
        #expect(throws: Never.self, "\(operation.name)") {
          try schema.check(JSONValue(Data(answer.body)))
        }
      }
    }
  }
}
