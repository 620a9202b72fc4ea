import FobBase
import Foundation
import Hummingbird

/// Runs the conformance suite on the production firmware in memory. `fob conform` judges real
/// devices, since a line has one host.
enum ConformanceOperations {
  private static let runRequest = JSONSchema.closed(
    .optional("chapter", .array(.text(1...40), limit: 64)), .optional("quick", .boolean))

  static let all = [
    Operation(
      method: .get, path: "/v1/bench/conformance", scope: .observe,
      summary: "The conformance run that goes on, or the last one",
      success: [.json(.reference("BenchConformance"), "Outcomes so far")], problems: [404],
      handler: { call in Reply.json(bytes: try await call.working { $0.conformance() }) }),
    Operation(
      method: .post, path: "/v1/bench/conformance", scope: .operate,
      summary: "Judges the production firmware in memory, case by case; chapters by name, or all",
      form: .json(runRequest, isRequired: false),
      success: [
        .json(
          .reference("BenchConformance"), "It runs; outcomes come as events named conformance",
          status: .accepted)
      ], problems: [404, 409],
      handler: begin),
    Operation(
      method: .delete, path: "/v1/bench/conformance", scope: .operate,
      summary: "Stops the run, if there is one, before its next case",
      success: [.nothing("It ends")], problems: [404],
      handler: { call in
        try await call.working { $0.stopJudging() }
        return Reply.empty()
      }),
    Operation(
      method: .get, path: "/v1/bench/conformance/report", scope: .observe,
      summary: "The report of the last run, once it has ended",
      parameters: [
        .query("form", .choice(WorkbenchReport.allCases.map(\.rawValue)), "json by default")
      ],
      success: [
        .json(.open(), "As fob conform --json writes it"),
        .other("application/xml", "With form=junit, as fob conform --junit writes it"),
      ], problems: [404, 409],
      handler: report),
  ]

  private struct RunRequest: Decodable {
    let chapter: [String]?
    let quick: Bool?
  }

  private static func begin(_ call: Call) async throws -> Response {
    let runRequest: RunRequest = try call.decode()
    let answer = try await call.working { bench in
      try bench.judge(chapters: runRequest.chapter ?? [], isQuick: runRequest.quick ?? false)
      return bench.conformance()
    }
    return Reply.json(bytes: answer, status: .accepted)
  }

  private static func report(_ call: Call) async throws -> Response {
    let form = call.query["form"].flatMap { WorkbenchReport(rawValue: $0) } ?? .json
    let bytes = try await call.working { try $0.conformanceReport(form) }
    return switch form {
    case .json: Reply.file(bytes, "application/json", name: "fob-conformance.json")
    case .junit: Reply.file(bytes, "application/xml", name: "fob-conformance.xml")
    }
  }
}
