import AlertCore
import FobBase
import HTTPTypes
import SerialIO
import Synchronization
import TestSupport
import Testing

@testable import Console

/// Who may do what, for every operation of the table.
struct AuthorizationTests {
  /// A path that the operation answers to.
  static func path(of operation: Operation) -> String {
    operation.path.replacing("{token}", with: "abc").split(separator: "/").map { part in
      if part == "{series}" || operation.path.contains("/series/{id}") && part == "{id}" {
        return "1"
      }
      if part == "{key}" { return "20261125T0900" }
      guard part == "{id}" else { return String(part) }
      if operation.path.contains("/incidents/") {
        return BenchCore.incident(.emergencyEnded).id.description
      }
      return operation.path.contains("/devices/") ? BenchCore.device.text : "contact-1"
    }.reduce("") { "\($0)/\($1)" }
  }

  private static var guarded: [Operation] {
    OperationTable.standard.operations.filter { $0.scope != nil && $0.path != "/v1/events" }
  }

  @Test func `each operation asks for its scope, and for no more`() async throws {
    try await Rig.run { rig in
      for operation in Self.guarded {
        let needed = try #require(operation.scope)
        let path = Self.path(of: operation)
        let method = operation.method.rawValue
        for scope in Scope.allCases {
          let answer = try await rig.ask(method, path, as: scope, json: "{}")
          let refusal = answer.status == 403 ? try answer.json(ProblemBody.self) : nil
          let isRefused = refusal?.code == "scopeNeeded"
          if !scope.allows(needed) {
            #expect(isRefused, "\(operation.name) as \(scope)")
            #expect(refusal?.scope == needed.rawValue)
          } else {
            #expect(!isRefused && answer.status != 401, "\(operation.name) as \(scope)")
          }
        }
        for headers in [[:], ["Authorization": "Bearer fob_no"], ["Authorization": "Basic x"]] {
          let answer = try await rig.ask(method, path, as: nil, json: "{}", headers: headers)
          #expect(answer.status == 401, "\(operation.name) with \(headers)")
          #expect(answer.headers["www-authenticate"] == "Bearer realm=\"fob\"")
        }
      }
    }
  }

  @Test func `only what is meant for everybody needs no token`() {
    let open = OperationTable.standard.operations.filter { $0.scope == nil }.map(\.name)
    #expect(
      open.sorted() == [
        "GET /ack/{token}", "GET /healthz", "GET /readyz", "GET /v1/account/confirm",
        "GET /v1/openapi.json", "POST /ack/{token}", "POST /v1/account/confirm",
        "POST /v1/account/email", "POST /v1/session",
      ])
  }

  @Test func `what changes anything needs more than to observe`() {
    for operation in Self.guarded where operation.method != .get && operation.path != "/v1/session"
    {
      #expect(operation.scope != .observe, "\(operation.name)")
    }
  }

  @Test func `a bridge's token feeds, and can do nothing else`() {
    let allowed = Self.guarded.filter { Scope.feed.allows($0.scope!) }.map(\.name)
    #expect(allowed.sorted() == ["GET /v1/feed/stream", "POST /v1/feed"])
  }

  @Test func `a bridge of an earlier version goes on feeding, and that is told once`() async throws
  {
    let told = Mutex<[String]>([])
    let rig = try await Rig { configuration in
      configuration.notice = { words in told.withLock { $0.append(words) } }
    }
    for scope in [Scope.operate, .feed, .operate, .operate] {
      // Let through: it is the feed server that is missing.
      #expect(try await rig.ask("POST", "/v1/feed", as: scope, json: "{}").status == 422)
      #expect(try await rig.ask("GET", "/v1/feed/stream", as: scope).status == 503)
    }
    #expect(try await rig.ask("POST", "/v1/feed", as: .observe, json: "{}").status == 403)
    await rig.server.stop()
    let words = told.withLock { $0 }
    #expect(words.count == 1)
    #expect(words.first?.contains("operate feeds by a token") == true)
    #expect(words.first?.contains("fob token create --scope feed") == true)
  }

  @Test func `no GET changes anything, whatever follows links`() async throws {
    try await Rig.run { rig in
      let incident = BenchCore.incident(.emergencySent)
      rig.core.set { $0.incident = BenchCore.incident(.emergencySent) }
      let acknowledge =
        "/ack/" + rig.links.acknowledgement(of: incident.id, by: "contact-1", in: .first)
      let confirm = rig.links.confirmation(of: BenchCore.owner.email)
      for operation in OperationTable.standard.operations where operation.method == .get {
        if operation.success.contains(where: \.isStream) { continue }
        let path =
          switch operation.path {
          case "/ack/{token}": acknowledge
          case "/v1/account/confirm": "\(operation.path)?token=\(confirm)"
          default: Self.path(of: operation)
          }
        for method in ["GET", "HEAD"] { _ = try await rig.ask(method, path) }
      }
      #expect(rig.core.asked.isEmpty, "\(rig.core.asked)")
    }
  }

  @Test func `a revoked token is refused at once, and a new one works at once`() async throws {
    try await Rig.run { rig in
      let (token, text) = try TokenBook(folder: rig.folder.path).create(
        name: "phone", scope: .observe)
      let headers = ["Authorization": "Bearer \(text)"]
      #expect(try await rig.send("GET", "/v1/status", headers: headers).status == 200)
      try TokenBook(folder: rig.folder.path).revoke(id: token.id)
      #expect(try await rig.send("GET", "/v1/status", headers: headers).status == 401)
    }
  }

  @Test func `who asks stands in the log by the token's name`() async throws {
    try await Rig.run { rig in
      _ = try await rig.ask("POST", "/v1/incidents/current/silence", as: .operate)
      #expect(rig.core.asked == [BenchCore.Asked(userCommand: .silence, who: "operate")])
    }
  }

  @Test(arguments: [
    "evil.example.org", "127.0.0.1.example.org", "localhost.example.org:80", "10.0.0.1",
  ])
  func `a name that is not this server's is refused`(host: String) async throws {
    try await Rig.run { rig in
      let answer = try await rig.send("GET", "/healthz", headers: ["Host": host])
      #expect(answer.status == 421)
      #expect(try answer.json(ProblemBody.self).code == "unknownHost")
    }
  }

  @Test(arguments: [
    "localhost", "LOCALHOST:1", "127.0.0.2:80", "[::1]:9", "alarm.example.org",
    "PUBLIC.example.org:8443", "[2001:db8:0::1]:80",
  ])
  func `the loopback's names and those of the configuration are answered to`(
    host: String
  ) async throws {
    let rig = try await Rig {
      $0.hosts = ["Alarm.Example.org", "2001:DB8::1"]
      $0.publicURL = "https://public.example.org:8443"
    }
    let answer = try await rig.send("GET", "/healthz", headers: ["Host": host])
    await rig.server.stop()
    #expect(answer.status == 200)
  }
}

extension Operation.Success {
  /// It has no end.
  fileprivate var isStream: Bool {
    if case .other("text/event-stream") = content { true } else { false }
  }
}
