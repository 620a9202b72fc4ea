import AlertCore
import Bridge
import FobBase
import Foundation
import Storage
import TestSupport
import Testing

@testable import Console

/// Exercises by the API on a real bridge and a real store, whose time is moved (R69 to R74, R77).
@Suite final class LiveExerciseTests {
  private let folder: ScratchDirectory
  private let store: AlertStore
  private var bridge: AlertBridge

  init() throws {
    folder = try ScratchDirectory()
    store = try AlertStore(directory: folder.path("state"))
    bridge = try Self.bridge(on: store)
  }

  deinit { bridge.stop() }

  private static func bridge(on store: AlertStore) throws -> AlertBridge {
    var account = BenchCore.owner
    account.isProtecting = true
    let bridge = try AlertBridge(account: account, store: store, sinks: []) { _ in }
    try bridge.start([])
    return bridge
  }

  private func run(_ body: (Rig) async throws -> Void) async throws {
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store))
    do {
      try await body(rig)
    } catch {
      await rig.server.stop()
      throw error
    }
    await rig.server.stop()
  }

  private static let file = "/v1/exercises/breathing/totalTime.txt"
  private static let plain = ["Content-Type": "text/plain"]

  @Test func `breathing starts and stops, and is in the statistics as long as it was`() async throws
  {
    try await run { rig in
      let idle: JSONValue = try await rig.ask("GET", "/v1/exercises", as: .observe).json()
      #expect(idle["running"] == nil && idle["last"] == nil)
      let started = try await rig.ask(
        "POST", "/v1/exercises/breathing/start", as: .operate, json: "{}")
      let running: JSONValue = try started.json()
      #expect(running["running"]?["exercise"] == "breathing")
      #expect(running["running"]?["lit"] == nil, "no keychain is linked")
      try bridge.advance(by: .seconds(64))
      let now: JSONValue = try await rig.ask("GET", "/v1/exercises").json()
      #expect(now["running"]?["elapsed"]?.whole ?? 0 >= 64_000_000)
      let second = try await rig.ask("POST", "/v1/exercises/grounding/start", json: "{}")
      #expect(second.status == 409)
      #expect(try second.json(ProblemBody.self).code == "exerciseRuns")
      let stopped: JSONValue = try await rig.ask(
        "POST", "/v1/exercises/stop", as: .operate, json: "{}"
      ).json()
      #expect(stopped["running"] == nil)
      // The machine's own time goes on beside the 64 s.
      let seconds = try #require(stopped["last"]?["seconds"]?.whole)
      #expect(stopped["last"]?["end"] == "page" && seconds >= 64)
      let statistics: JSONValue = try await rig.ask(
        "GET", "/v1/exercises/breathing/statistics"
      ).json()
      #expect(statistics["seconds"]?.whole == seconds && statistics["average"]?.whole == seconds)
      #expect(
        try await rig.ask("GET", Self.file).text
          == "\(seconds % 60)\n\(seconds / 60)\n0\n\(seconds)\n\(seconds)\n1\n")
      let none = try await rig.ask("POST", "/v1/exercises/stop", json: "{}")
      #expect(try none.json(ProblemBody.self).code == "noExercise")
    }
  }

  @Test func `totalTime.txt is taken whole or not at all, and deletion sets it to nothing`()
    async throws
  {
    try await run { rig in
      for bad in ["", "5\n1\n2\n30\n4000\n", "5\n\n1\n2\n30\n4000\n3\n", "5\n1\n2\n31\n30\n3\n"] {
        let refused = try await rig.ask("PUT", Self.file, json: bad, headers: Self.plain)
        #expect(refused.status == 422)
        #expect(try refused.json(ProblemBody.self).field == "totalTime.txt")
        #expect(try await rig.ask("GET", Self.file).text == "0\n0\n0\n0\n0\n0\n")
      }
      let file = "5\n1\n2\n30\n4000\n3\n"
      let taken = try await rig.ask("PUT", Self.file, json: file, headers: Self.plain)
      #expect(taken.status == 200)
      #expect(try await rig.ask("GET", Self.file).text == file)
      // A crash after the answer, and the next start.
      bridge.stop()
      bridge = try Self.bridge(on: store)
      #expect(bridge.totals.file == file)
    }
    try await run { rig in
      let deleted = try await rig.ask("DELETE", "/v1/exercises/breathing/statistics", json: "{}")
      #expect(deleted.status == 200)
      #expect(try await rig.ask("GET", Self.file).text == "0\n0\n0\n0\n0\n0\n")
    }
  }

  @Test func `grounding is counted by the page, begins again, and ends at its last item`()
    async throws
  {
    try await run { rig in
      _ = try await rig.ask("POST", "/v1/exercises/grounding/start", as: .operate, json: "{}")
      func count() async throws -> JSONValue {
        try await rig.ask("POST", "/v1/exercises/grounding/count", as: .operate, json: "{}").json()
      }
      for _ in 1...5 { _ = try await count() }
      let sixth = try await count()["running"]
      #expect(sixth?["stage"] == .integer(5) && sixth?["category"] == "touch")
      #expect(sixth?["left"] == .integer(4) && sixth?["counted"] == .integer(6))
      let again: JSONValue = try await rig.ask(
        "POST", "/v1/exercises/grounding/retry", as: .operate, json: "{}"
      ).json()
      #expect(again["running"]?["category"] == "see")
      for _ in 1...44 { #expect(try await count()["running"] != nil) }
      #expect(try await count()["running"] == nil)
    }
  }

  @Test func `the click that breathes is off at first, and no exercise needs the PIN`() async throws
  {
    try await run { rig in
      let path = "/v1/exercises/settings"
      #expect(try await rig.ask("GET", path).text.contains(#""oneClickBreathes":false"#))
      let set = try await rig.ask("PUT", path, json: #"{"oneClickBreathes":true}"#)
      #expect(set.status == 200)
      #expect(try await rig.ask("GET", path).text.contains(#""oneClickBreathes":true"#))
    }
  }

  @Test func `while an alarm is open nothing of the exercises changes, and reading stays`()
    async throws
  {
    try await run { rig in
      let device = BenchCore.device.text
      let raised = try await rig.ask(
        "POST", "/v1/triggers", json: #"{"source":"fall","device":"\#(device)","key":"1"}"#)
      #expect(raised.status < 300, "\(raised.text)")
      for path in ["breathing/start", "grounding/start", "stop"] {
        let answer = try await rig.ask("POST", "/v1/exercises/" + path, json: "{}")
        #expect(answer.status == 423)
      }
      #expect(try await rig.ask("GET", "/v1/exercises").status == 200)
    }
  }
}
