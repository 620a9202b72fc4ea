import AlertCore
import Bridge
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing

@testable import Console

/// Reviews by the API on a real bridge and a real store (R80 to R84, R61).
@Suite final class LiveReviewTests {
  private static let secret = "The stairs were dark"

  private let folder: ScratchDirectory
  private let store: AlertStore
  private let bridge: AlertBridge

  init() throws {
    folder = try ScratchDirectory()
    store = try AlertStore(directory: folder.path("state"))
    var account = BenchCore.owner
    account.pinHash = PIN("2468")!.hash()
    bridge = try AlertBridge(account: account, store: store, sinks: []) { _ in }
    try bridge.start([])
  }

  deinit { bridge.stop() }

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

  private func ask(
    _ rig: Rig, _ method: String, _ path: String, _ json: String? = nil, pin: String? = "2468"
  ) async throws -> (status: Int, body: JSONValue) {
    let answer = try await rig.ask(
      method, path, json: json, headers: pin.map { ["Fob-PIN": $0] } ?? [:])
    return (answer.status, (try? answer.json()) ?? .null)
  }

  private func save(
    _ rig: Rig, _ step: Int, _ text: String, version: Int = 0
  ) async throws -> (status: Int, body: JSONValue) {
    try await ask(
      rig, "PUT", "/v1/reviews/1/steps/\(step)", #"{"text":"\#(text)","version":\#(version)}"#)
  }

  /// An alarm by a fall that was ended by PIN and resumed from.
  private func alarm(_ rig: Rig) async throws -> String {
    _ = try await ask(rig, "PUT", "/v1/protection", "{}")
    _ = try await ask(
      rig, "POST", "/v1/triggers",
      #"{"source":"fall","device":"\#(BenchCore.device.text)","key":"1"}"#)
    _ = try await ask(rig, "POST", "/v1/incidents/current/disarm", #"{"pin":"2468"}"#)
    _ = try await ask(rig, "POST", "/v1/incidents/current/resume", "{}")
    let list = try await ask(rig, "GET", "/v1/incidents").body
    guard case .array(let incidents)? = list["incidents"] else { return "" }
    return try #require(incidents.first?["id"]?.text)
  }

  @Test func `R80, R84: a review of an alarm is begun, saved step by step, and completed`()
    async throws
  {
    try await run { rig in
      let incident = try await alarm(rig)
      #expect(try await ask(rig, "GET", "/v1/reviews/offer").body["incident"]?.text == incident)
      let form = #"{"incident":"\#(incident)"}"#
      #expect(try await ask(rig, "POST", "/v1/reviews", form).status == 201)
      let again = try await ask(rig, "POST", "/v1/reviews", form)
      #expect(again.status == 409 && again.body["code"] == "reviewExists")
      #expect(try await ask(rig, "GET", "/v1/reviews/offer").body["incident"] == nil)
      for step in [1, 2, 4] { #expect(try await save(rig, step, Self.secret).status == 200) }
      let missing = try await ask(rig, "POST", "/v1/reviews/1/complete", "{}")
      #expect(missing.status == 409 && missing.body["missing"] == ["3"])
      #expect(try await save(rig, 3, Self.secret).status == 200)
      let done = try await ask(rig, "POST", "/v1/reviews/1/complete", "{}")
      #expect(done.status == 200 && done.body["state"] == "completed")
      let found = try await ask(rig, "GET", "/v1/reviews?incident=\(incident)").body
      #expect(found["total"] == 1 && found["inProgress"] == 0)
    }
  }

  @Test func `R82: the later of two windows is told both texts`() async throws {
    try await run { rig in
      _ = try await ask(rig, "POST", "/v1/reviews", "{}")
      #expect(try await save(rig, 1, "First window").status == 200)
      let later = try await save(rig, 1, "Second window")
      #expect(later.status == 409 && later.body["code"] == "changed")
      #expect(later.body["stored"]?["text"] == "First window")
      #expect(later.body["stored"]?["version"] == 1)
      #expect(later.body["yours"] == "Second window")
      #expect(try await save(rig, 1, "Second window", version: 1).status == 200)
      let versions = try await ask(rig, "GET", "/v1/reviews/1").body["versions"]
      guard case .array(let all)? = versions else { return }
      #expect(all.map { $0["text"] } == ["First window", "Second window"])
    }
  }

  @Test func `R83: reviews are listed by the week in which they were begun`() async throws {
    try await run { rig in
      _ = try await ask(rig, "POST", "/v1/reviews", "{}")
      let all = try await ask(rig, "GET", "/v1/reviews").body
      let week = try #require(all["week"]?.text)
      let inside = try await ask(rig, "GET", "/v1/reviews?week=\(week)").body
      guard case .array(let rows)? = inside["reviews"] else { return }
      #expect(rows.map { $0["id"] } == [1])
      let before = try #require(inside["previous"]?.text)
      let outside = try await ask(rig, "GET", "/v1/reviews?week=\(before)").body
      #expect(outside["reviews"] == .array([]))
      #expect(outside["next"]?.text == week)
      #expect(try await ask(rig, "GET", "/v1/reviews?week=2025-W53").status == 422)
    }
  }

  @Test func `what the owner wrote is read by the PIN alone`() async throws {
    try await run { rig in
      _ = try await ask(rig, "POST", "/v1/reviews", "{}")
      for path in ["/v1/reviews", "/v1/reviews/1", "/v1/reviews/export"] {
        let without = try await ask(rig, "GET", path, pin: nil)
        #expect(without.status == 403 && without.body["code"] == "pinNeeded")
        #expect(try await ask(rig, "GET", path).status == 200)
      }
      let wrong = try await ask(rig, "GET", "/v1/reviews/1", pin: "1111")
      #expect(wrong.status == 403 && wrong.body["code"] == "wrongPIN")
    }
  }

  @Test func `no word of an answer is in the log, an incident's document or the metrics`()
    async throws
  {
    try await run { rig in
      let incident = try await alarm(rig)
      _ = try await ask(rig, "POST", "/v1/reviews", #"{"incident":"\#(incident)"}"#)
      #expect(try await save(rig, 1, Self.secret).status == 200)
      for path in ["/v1/log", "/v1/incidents/\(incident)", "/metrics", "/v1/status"] {
        let answer = try await rig.ask("GET", path)
        #expect(answer.status == 200)
        #expect(!answer.text.contains(Self.secret), "\(path)")
      }
    }
  }

  @Test func `R61: an alarm is labelled anew, and the log has each change`() async throws {
    try await run { rig in
      let incident = try await alarm(rig)
      for outcome in ["test", "true"] {
        let done = try await ask(
          rig, "PUT", "/v1/incidents/\(incident)/outcome", #"{"outcome":"\#(outcome)"}"#)
        #expect(done.status == 200)
      }
      let document = try await rig.ask("GET", "/v1/incidents/\(incident)").text
      #expect(document.contains(#""outcome":"true""#))
      #expect(document.components(separatedBy: "outcomeChanged").count == 3)
    }
  }

  @Test func `R80: the steps of new reviews are replaced, and all of it is exported`() async throws
  {
    try await run { rig in
      _ = try await ask(rig, "POST", "/v1/reviews", "{}")
      let steps = (1...4).map { #"{"key":"s\#($0)","label":"Step \#($0)","question":"What?"}"# }
      let set = try await ask(
        rig, "PUT", "/v1/reviews/template", #"{"steps":[\#(steps.joined(separator: ","))]}"#)
      #expect(set.status == 200)
      let export = try await ask(rig, "GET", "/v1/reviews/export").body
      guard case .array(let reviews)? = export["reviews"],
        case .array(let old)? = reviews[0]["steps"],
        case .array(let new)? = export["template"]?["steps"]
      else {
        Issue.record("no export: \(export)")
        return
      }
      #expect(old.map { $0["label"] } == ["Wonder", "Explore", "Learn", "Loop"])
      #expect(new.map { $0["label"] } == ["Step 1", "Step 2", "Step 3", "Step 4"])
    }
  }
}
