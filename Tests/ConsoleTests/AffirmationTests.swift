import Foundation
import Testing

@testable import AlertCore
@testable import Console

/// The affirmations by the API (R75, R76).
struct AffirmationTests {
  @Test func `R75: the lines are read, and each change is asked of the core`() async throws {
    try await Rig.run { rig in
      let list: JSONValue = try await rig.ask("GET", "/v1/affirmations").json()
      #expect(list["affirmations"]?.elements.count == 50)
      #expect(list["current"] == .integer(1))
      #expect(list["schedule"]?["every"] == "never")
      let asked: [(String, String, String, AffirmationCommand)] = [
        ("POST", "", #"{"text":"I am here."}"#, .add("I am here.")),
        ("DELETE", "/7", "{}", .remove(7)),
        ("PUT", "/current", #"{"id":3}"#, .select(3)),
        ("PUT", "/current", #"{"go":"next"}"#, .next),
        ("PUT", "/current", #"{"go":"previous"}"#, .previous),
      ]
      for (method, path, body, command) in asked {
        let answer = try await rig.ask(method, "/v1/affirmations" + path, as: .operate, json: body)
        #expect(answer.status == 200, "\(method) \(path)")
        #expect(rig.core.asked.last?.userCommand == .affirmation(command))
        #expect(
          try await rig.ask(method, "/v1/affirmations" + path, as: .observe, json: body).status
            == 403)
      }
      let both = try await rig.ask(
        "PUT", "/v1/affirmations/current", json: #"{"id":3,"go":"next"}"#)
      #expect(both.status == 422)
    }
  }

  @Test func `R76: a schedule has an hour and a minute by the local clock`() async throws {
    try await Rig.run { rig in
      let answer = try await rig.ask(
        "PUT", "/v1/affirmations/schedule",
        json: #"{"every":"weekly","weekday":"friday","hour":9,"minute":5}"#)
      #expect(answer.status == 200)
      let schedule = AffirmationSchedule(.weekly, on: .friday, hour: 9, minute: 5)
      #expect(rig.core.asked.last?.userCommand == .affirmation(.remind(schedule)))
      let wrong = try await rig.ask(
        "PUT", "/v1/affirmations/schedule", json: #"{"every":"Weekly"}"#)
      #expect(wrong.status == 422)
    }
  }

  private static func put(_ rig: Rig, _ bytes: [UInt8]) async throws -> RawClient.Response {
    try await rig.send(
      "PUT", "/v1/affirmations/mantras.txt",
      headers: [
        "Authorization": "Bearer \(rig.token[.operate]!)", "Content-Type": "text/plain",
        "Content-Length": "\(bytes.count)",
      ], body: bytes)
  }

  @Test func `R75: mantras.txt has one line each, byte for byte`() async throws {
    try await Rig.run { rig in
      let file = try await rig.ask("GET", "/v1/affirmations/mantras.txt")
      #expect(file.text == Affirmations.supplied.map { $0 + "\n" }.joined())
      #expect(try await Self.put(rig, Array(file.text.utf8)).status == 200)
      let command = AffirmationCommand.replace(Affirmations.supplied)
      #expect(rig.core.asked.last?.userCommand == .affirmation(command))
      #expect(try await Self.put(rig, Array("One\n\nTwo\r\n".utf8)).status == 200)
      let lines = AffirmationCommand.replace(["One", "", "Two\r"])
      #expect(rig.core.asked.last?.userCommand == .affirmation(lines), "the core refuses them")
      let marked = AffirmationCommand.replace(["One"])
      #expect(try await Self.put(rig, Array("\u{FEFF}One\n".utf8)).status == 200)
      #expect(rig.core.asked.last?.userCommand == .affirmation(marked), "a byte order mark is none")
      let count = rig.core.asked.count
      #expect(try await Self.put(rig, Array("One\nTwo".utf8)).status == 422)
      #expect(try await Self.put(rig, [0xFF, 0x0A]).status == 422)
      #expect(rig.core.asked.count == count)
    }
  }

  @Test func `a refused file says in which line, and a locked core 423`() async throws {
    try await Rig.run { rig in
      rig.core.set { $0.refusal = .invalid("line 2", "is empty") }
      let answer = try await Self.put(rig, Array("One\n\n".utf8))
      #expect(answer.status == 422)
      #expect(try answer.json(ProblemBody.self).detail.contains("line 2"))
      rig.core.set { $0.refusal = .locked }
      #expect(try await Self.put(rig, Array("One\n".utf8)).status == 423)
    }
  }
}
