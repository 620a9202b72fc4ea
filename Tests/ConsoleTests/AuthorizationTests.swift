import AlertCore
import FobBase
import HTTPTypes
import SerialIO
import TestSupport
import Testing

@testable import Console

/// Who may do what, for every operation of the table.
struct AuthorizationTests {
  /// A path that the operation answers to.
  static func path(of operation: Operation) -> String {
    operation.path.replacing("{token}", with: "abc").split(separator: "/").map { part in
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
          let isRefused = answer.status == 403
          if scope < needed {
            let problem: ProblemBody = try answer.json()
            #expect(isRefused, "\(operation.name) as \(scope)")
            #expect(problem.code == "scopeNeeded" && problem.scope == needed.rawValue)
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
        "GET /v1/openapi.json", "POST /ack/{token}", "POST /v1/session",
      ])
  }

  @Test func `what changes anything needs more than to observe`() {
    for operation in Self.guarded where operation.method != .get && operation.path != "/v1/session"
    {
      #expect(operation.scope != .observe, "\(operation.name)")
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
      #expect(rig.core.asked == [BenchCore.Asked(verb: .silence, who: "operate")])
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

  @Test(arguments: ["localhost", "LOCALHOST:1", "127.0.0.2:80", "[::1]:9", "alarm.example.org"])
  func `the loopback's names and those of the configuration are answered to`(
    host: String
  ) async throws {
    let rig = try await Rig { $0.hosts = ["Alarm.Example.org"] }
    let answer = try await rig.send("GET", "/healthz", headers: ["Host": host])
    await rig.server.stop()
    #expect(answer.status == 200)
  }
}
