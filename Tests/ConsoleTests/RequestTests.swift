import AlertCore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Console

/// What is asked wrongly, and how that is said.
struct RequestTests {
  private func expectProblem(
    _ answer: RawClient.Response, _ status: Int, _ code: String, field: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(answer.headers["content-type"] == "application/problem+json", sourceLocation: location)
    let problem: ProblemBody = try answer.json()
    #expect(answer.status == status && problem.status == status, sourceLocation: location)
    #expect(problem.code == code && problem.field == field, sourceLocation: location)
    #expect(!problem.title.isEmpty && !problem.detail.isEmpty, sourceLocation: location)
    #expect(problem.type == "urn:fob:problem:\(code)", sourceLocation: location)
  }

  @Test func `what is not there, and what cannot be done there, is a problem`() async throws {
    try await Rig.run { rig in
      try expectProblem(try await rig.ask("GET", "/v1/nothing"), 404, "notFound")
      try expectProblem(try await rig.ask("GET", "/v1/devices/xyz/claim"), 404, "notFound")
      let other = try await rig.ask("POST", "/v1/status")
      try expectProblem(other, 405, "methodNotAllowed")
      #expect(other.headers["allow"] == "GET")
      let contact = try await rig.ask("GET", "/v1/contacts/contact-1")
      #expect(contact.headers["allow"] == "DELETE, PATCH")
    }
  }

  @Test func `a body must be JSON of the operation's shape`() async throws {
    let path = "/v1/incidents/current/disarm"
    try await Rig.run { rig in
      try expectProblem(try await rig.ask("POST", path, json: "{"), 400, "noJSON")
      try expectProblem(try await rig.ask("POST", path, json: "[]"), 422, "invalid")
      try expectProblem(try await rig.ask("POST", path, json: "{}"), 422, "invalid", field: "pin")
      for pin in [#""123""#, #""12345""#, #""12a4""#, "1234", "null", #""12\n4""#, #""1234\n""#] {
        try expectProblem(
          try await rig.ask("POST", path, json: #"{"pin":\#(pin)}"#), 422, "invalid", field: "pin")
      }
      try expectProblem(
        try await rig.ask("POST", path, json: #"{"pin":"1234","colour":1}"#), 422, "invalid",
        field: "colour")
      try expectProblem(
        try await rig.ask(
          "POST", path, json: #"{"pin":"1234"}"#, headers: ["Content-Type": "text/plain"]),
        415, "wrongType")
      #expect(rig.core.asked.isEmpty)
    }
  }

  @Test func `a body has 64 KiB at the most`() async throws {
    try await Rig.run { rig in
      let path = "/v1/contacts/import"
      let headers = [
        "Authorization": "Bearer \(rig.token[.administer]!)", "Content-Type": "text/csv",
      ]
      func send(_ count: Int) async throws -> RawClient.Response {
        let row = Array("name,number\nA,+15550100\n".utf8)
        return try await rig.send(
          "POST", path, headers: headers,
          body: row + Array(repeating: 0x20, count: count - row.count))
      }
      #expect(try await send(64 << 10).status == 200)
      try expectProblem(try await send((64 << 10) + 1), 413, "tooLarge")
      let chunked = headers.merging(["Transfer-Encoding": "chunked"]) { $1 }
      let chunk = Array("8000\r\n".utf8) + Array(repeating: 0x41, count: 0x8000) + [13, 10]
      let port = rig.port
      let answer = try await blocking {
        let client = try RawClient(port: port)
        try client.send(
          "POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + chunked.map { "\($0): \($1)\r\n" }.joined() + "\r\n")
        for _ in 0..<3 { try client.send(chunk) }
        try client.send("0\r\n\r\n")
        return try client.response()
      }
      try expectProblem(answer, 413, "tooLarge")
    }
  }

  @Test(arguments: [
    "/v1/log?before=-1", "/v1/log?name=nothing", "/v1/log?since=now", "/v1/log?text=",
    "/v1/log?limit=0", "/v1/log?limit=201", "/v1/log?limit=x", "/v1/log?after=-1",
    "/v1/incidents?before=abc", "/v1/events?device=zz", "/v1/events?after=1e3",
    "/v1/events?form=lines",
  ])
  func `a query out of its limits is refused with its field`(path: String) async throws {
    try await Rig.run { rig in
      let field = path.split { "?=".contains($0) }[1]
      try expectProblem(try await rig.ask("GET", path), 400, "wrongQuery", field: String(field))
    }
  }

  @Test func `what the core refuses has one status each`() async throws {
    let refusals: [(UserCommand.Refusal, Int)] = [
      (.nothingOpen, 409), (.pinNeeded, 403), (.wrongPIN, 403), (.pinBlocked, 429),
      (.unknownContact, 404), (.locked, 423), (.unchanged, 409),
      (.claimed(by: "owne****@example.org"), 409), (.missing(["a country"]), 409),
      (.tooMany("contacts", limit: 64), 422),
    ]
    try await Rig.run { rig in
      for (refusal, status) in refusals {
        rig.core.set { $0.refusal = refusal }
        let answer = try await rig.ask("POST", "/v1/incidents/current/silence")
        try expectProblem(answer, status, refusal.code)
        #expect(try answer.json(ProblemBody.self).detail == refusal.description)
        #expect((answer.headers["retry-after"] == "7") == (refusal == .pinBlocked))
      }
      rig.core.set { $0.refusal = .invalid("mobile", "needs a country code") }
      try expectProblem(
        try await rig.ask("PATCH", "/v1/account", json: "{}"), 422, "invalid", field: "mobile")
    }
  }

  @Test func `an effect that is not durable is said so, with the state`() async throws {
    try await Rig.run { rig in
      rig.core.set { state in
        state.isDurable = false
        state.incident = BenchCore.incident(.emergencySent)
      }
      let answer = try await rig.ask("POST", "/v1/incidents/current/silence")
      try expectProblem(answer, 503, "notDurable")
      #expect(try answer.json(ProblemBody.self).state == "EMERGENCY_SENT")
    }
  }

  @Test func `garbage never makes the server fail`() async throws {
    var generator = SeededGenerator(seed: 5)
    let alphabet = Array(#"{}[]",:0123456789.eE+-truefalsn\u "pin"contactfell"device""#.utf8)
    let operations = OperationTable.standard.operations.filter {
      if case .nothing = $0.form { false } else { true }
    }
    try await Rig.run { rig in
      for round in 0..<(Soak.isOn ? 20_000 : 600) {
        let operation = operations.randomElement(using: &generator)!
        let body = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
          round % 3 == 0
            ? UInt8.random(in: 0...255, using: &generator)
            : alphabet.randomElement(using: &generator)!
        }
        let type = ["application/json", "text/csv", "text/vcard"].randomElement(using: &generator)!
        let answer = try await rig.send(
          operation.method.rawValue, AuthorizationTests.path(of: operation),
          headers: [
            "Authorization": "Bearer \(rig.token[.administer]!)", "Content-Type": type,
            "Content-Length": "\(body.count)",
          ], body: body)
        #expect(answer.status < 500, "\(operation.name) \(body)")
        let declared = operation.allProblems.union(operation.success.map(\.status.code))
        #expect(declared.contains(answer.status), "\(operation.name): \(answer.status) \(body)")
      }
    }
  }

  @Test func `garbage in place of a request closes the connection, and no other`() async throws {
    var generator = SeededGenerator(seed: 6)
    try await Rig.run { rig in
      let port = rig.port
      for _ in 0..<(Soak.isOn ? 2_000 : 50) {
        let bytes = (0..<Int.random(in: 1...200, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        _ = try await blocking {
          let client = try RawClient(port: port)
          try? client.send(bytes + Array("\r\n\r\n".utf8))
          client.reset()
        }
      }
      #expect(try await rig.send("GET", "/healthz").status == 200)
    }
  }
}
