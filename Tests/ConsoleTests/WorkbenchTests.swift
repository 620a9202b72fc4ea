import Foundation
import HTTPTypes
import TestSupport
import Testing
import WireProtocol

@testable import Console

/// The test engineer's bench, as the API has it.
struct WorkbenchTests {
  private static let control = "/v1/bench/keychains/\(StandInWorkbench.device)/control"

  private static func run(
    _ bench: StandInWorkbench = StandInWorkbench(), _ body: (Rig) async throws -> Void
  ) async throws {
    try await Rig.run(edit: { $0.workbench = bench }, body)
  }

  @Test func `a process without a bench says so, to whoever may ask`() async throws {
    try await Rig.run { rig in
      for operation in OperationTable.standard.operations
      where operation.path.hasPrefix("/v1/bench") {
        let path = operation.path.replacing("{device}", with: StandInWorkbench.device)
        let json = operation.path.hasSuffix("control") ? #"{"do":"state"}"# : nil
        let answer = try await rig.ask(operation.method.rawValue, path, as: .operate, json: json)
        #expect(answer.status == 404, "\(operation.name)")
        #expect(try answer.json(ProblemBody.self).code == "noBench")
      }
    }
  }

  @Test func `the bench is read by who observes, and moved by who operates, who has its keys`() {
    for operation in OperationTable.standard.operations
    where operation.path.hasPrefix("/v1/bench") {
      let isRead = operation.method == .get && !operation.path.hasSuffix("/label")
      #expect(operation.scope == (isRead ? .observe : .operate))
    }
  }

  @Test func `the label of an emulated keychain is there to be scanned, as text and as an image`()
    async throws
  {
    try await Self.run { rig in
      let answer = try await rig.ask(
        "GET", "/v1/bench/keychains/\(StandInWorkbench.device)/label", as: .operate)
      #expect(answer.status == 200)
      let shown = try answer.json([String: String].self)
      #expect(shown["device"] == StandInWorkbench.device)
      #expect(shown["text"] == StandInWorkbench.label.text)
      #expect(shown["scanned"] == StandInWorkbench.label.scanned)
      #expect(shown["svg"]?.hasPrefix("<svg xmlns=") == true)
      let other = try await rig.ask(
        "GET", "/v1/bench/keychains/8000000000000099/label", as: .operate)
      #expect(other.status == 404)
    }
  }

  @Test func `a request reaches the keychain as it was written, and its answer comes back`()
    async throws
  {
    let bench = StandInWorkbench()
    try await Self.run(bench) { rig in
      let json = #"{"do":"press","hold_ms":40}"#
      let answer = try await rig.ask("POST", Self.control, as: .operate, json: json)
      #expect(answer.status == 200)
      #expect(answer.text == #"{"event":"1.2","ok":true}"#)
      #expect(bench.asked.controls == [json])
    }
  }

  @Test func `a keychain's refusal is a conflict, in its own words`() async throws {
    try await Self.run { rig in
      let answer = try await rig.ask("POST", Self.control, json: #"{"do":"replug"}"#)
      let problem: ProblemBody = try answer.json()
      #expect(answer.status == 409 && problem.detail == "no power")
    }
  }

  @Test func `a keychain that is not emulated here is not found`() async throws {
    try await Self.run { rig in
      let path = "/v1/bench/keychains/8000000000000063/control"
      let answer = try await rig.ask("POST", path, json: #"{"do":"press"}"#)
      #expect(answer.status == 404)
    }
  }

  @Test(arguments: ["[]", "{}", #"{"do":7}"#, #"{"do":""}"#, "no JSON"])
  func `what names no request is refused before a keychain hears of it`(json: String) async throws {
    let bench = StandInWorkbench()
    try await Self.run(bench) { rig in
      let answer = try await rig.ask("POST", Self.control, json: json)
      #expect([400, 422].contains(answer.status))
      #expect(bench.asked.controls.isEmpty)
    }
  }

  @Test func `a capture is a file to be kept`() async throws {
    try await Self.run { rig in
      let answer = try await rig.ask("GET", "/v1/bench/capture?device=pty:/tmp/fob", as: .observe)
      #expect(answer.headers["content-type"] == "application/octet-stream")
      let kept = try #require(answer.headers["content-disposition"])
      #expect(kept.wholeMatch(of: /attachment; filename="fob-[0-9]+\.pcapng"/) != nil)
      #expect(answer.text == "capture of pty:/tmp/fob")
    }
  }

  @Test func `one conformance run goes on at a time, and its report can be had`() async throws {
    let bench = StandInWorkbench()
    try await Self.run(bench) { rig in
      let path = "/v1/bench/conformance"
      #expect(try await rig.ask("GET", path + "/report").status == 404)
      #expect(try await rig.ask("POST", path, json: #"{"chapter":["none"]}"#).status == 422)
      let begun = try await rig.ask(
        "POST", path, as: .operate, json: #"{"chapter":["led"],"quick":true}"#)
      #expect(begun.status == 202 && begun.text.contains(#""isRunning":true"#))
      #expect(bench.asked.runs == [#"["led"] true"#])
      #expect(try await rig.ask("POST", path, json: "{}").status == 409)
      #expect(try await rig.ask("DELETE", path, as: .operate).status == 204)
      #expect(bench.asked.stops == 1)
      let report = try await rig.ask("GET", path + "/report?form=junit", as: .observe)
      #expect(report.headers["content-type"] == "application/xml")
      #expect(report.headers["content-disposition"]?.contains("fob-conformance.xml") == true)
      #expect(report.text == "<testsuites/>")
    }
  }
}
