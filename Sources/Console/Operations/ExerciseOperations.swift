import AlertCore
import Bridge
import FobBase
import Hummingbird

/// Breathing and grounding (R69 to R74, R77). None of it needs the PIN.
enum ExerciseOperations {
  private static let seconds = JSONSchema.described(.count, "seconds")
  private static let microseconds = JSONSchema.described(.count, "µs")
  private static let end = JSONSchema.choice(ExerciseSession.End.allCases.map(\.rawValue))

  private static let statistics = JSONSchema.open(
    .needed("seconds", .described(.count, "of all sessions together")),
    .needed("shortest", seconds), .needed("longest", seconds), .needed("count", .count),
    .optional("average", seconds))

  private static let running = JSONSchema.open(
    .needed("exercise", .choice(Exercise.allCases.map(\.rawValue))), .optional("device", .device),
    .needed("by", .text), .needed("startedAt", CheckInShapes.moment),
    .needed("elapsed", microseconds),
    .optional(
      "lit",
      .described(.count, "µs for which the light of a linked keychain has shown it without a break")
    ),
    .optional("stage", .integer(1...5)),
    .optional("category", .choice(Grounding.Category.allCases.map(\.rawValue))),
    .optional("left", .integer(1...5)), .optional("counted", .integer(0...44)))

  private static let last = JSONSchema.open(
    .optional("device", .device), .needed("by", .text),
    .needed("startedAt", CheckInShapes.moment), .needed("endedAt", CheckInShapes.moment),
    .needed("seconds", seconds), .needed("end", end))

  static let schema = JSONSchema.open(
    .optional("running", running), .optional("last", last),
    .needed("statistics", statistics), .needed("oneClickBreathes", .boolean))

  private static let asItIs = Operation.Success.json(.reference("Exercises"), "As they are now")
  private static let settings = JSONSchema.closed(.needed("oneClickBreathes", .boolean))
  private static let start = JSONSchema.closed(
    .optional("device", .described(.device, "whose light shows it; each of the account's if none")))
  private static let nothing = Operation.Form.json(.closed(), isRequired: false)
  private static let path = "/v1/exercises"
  private static let file = path + "/breathing/totalTime.txt"

  static let all =
    [
      Operation(
        method: .get, path: path, scope: .observe,
        summary: "Which exercise runs, the last session of breathing, and its statistics",
        success: [asItIs], handler: show),
      Operation(
        method: .post, path: path + "/breathing/start", scope: .operate,
        summary: "Starts breathing; refused while another exercise runs",
        form: .json(start, isRequired: false), success: [asItIs], problems: Operation.refusals,
        handler: { try await begin(.breathing, $0) }),
      Operation(
        method: .post, path: path + "/grounding/start", scope: .operate,
        summary: "Starts grounding; refused while another exercise runs",
        form: .json(start, isRequired: false), success: [asItIs], problems: Operation.refusals,
        handler: { try await begin(.grounding, $0) }),
      Operation(
        method: .post, path: path + "/grounding/count", scope: .operate,
        summary: "Counts one item of grounding; the last one ends it",
        form: nothing, success: [asItIs], problems: Operation.refusals,
        handler: { try await perform(.count, $0) }),
      Operation(
        method: .post, path: path + "/grounding/retry", scope: .operate,
        summary: "Begins grounding again at the first item",
        form: nothing, success: [asItIs], problems: Operation.refusals,
        handler: { try await perform(.retry, $0) }),
      Operation(
        method: .post, path: path + "/stop", scope: .operate, summary: "Ends what runs",
        form: nothing, success: [asItIs], problems: Operation.refusals,
        handler: { try await perform(.stop, $0) }),
    ] + totals

  private static let totals = [
    Operation(
      method: .get, path: path + "/breathing/statistics", scope: .observe,
      summary: "The totals of breathing; the average is the total by the count",
      success: [.json(statistics, "Without the session that runs")],
      handler: { Reply.json($0.core.exercises.statistics) }),
    Operation(
      method: .delete, path: path + "/breathing/statistics", scope: .administer,
      summary: "Sets the totals of breathing to 0", form: nothing,
      success: [.json(.reference("Done"), "It is durable")], problems: Operation.refusals,
      handler: { try await $0.perform(.exercise(.totals(BreathingTotals()))) }),
    Operation(
      method: .get, path: file, scope: .observe,
      summary: "The totals as six lines: seconds, minutes and hours of the total, the shortest,"
        + " the longest, the number of sessions",
      success: [.other("text/plain", "Without the session that runs")],
      handler: { Reply.text($0.core.totals.file) }),
    Operation(
      method: .put, path: file, scope: .administer,
      summary: "Replaces the totals by such a file, or leaves them all as they are",
      form: .text(["text/plain"], .closed(.needed("file", .text(0...200)))),
      success: [.json(.reference("Done"), "It is durable")], problems: Operation.refusals,
      handler: bring),
    Operation(
      method: .get, path: path + "/settings", scope: .observe,
      summary: "Whether one click that speaks to nothing else starts breathing",
      success: [.json(settings, "As they are now")],
      handler: { Reply.json(Settings(oneClickBreathes: $0.core.exercises.oneClickBreathes)) }),
    Operation(
      method: .put, path: path + "/settings", scope: .administer,
      summary: "Replaces the settings", form: .json(settings, isRequired: true),
      success: [.json(settings, "As they are now")], problems: Operation.refusals, handler: set),
  ]

  private struct Settings: Encodable {
    let oneClickBreathes: Bool
  }

  private static func show(_ call: Call) async throws -> Response {
    Reply.json(call.core.exercises)
  }

  private static func begin(_ exercise: Exercise, _ call: Call) async throws -> Response {
    try await perform(.start(exercise, device: call.body.json["device"]?.text), call)
  }

  private static func perform(_ command: ExerciseCommand, _ call: Call) async throws -> Response {
    _ = try await call.perform(.exercise(command))
    return Reply.json(call.core.exercises)
  }

  private static func bring(_ call: Call) async throws -> Response {
    let text = call.body.json["file"]?.text ?? call.body.text
    let totals: BreathingTotals
    do {
      totals = try BreathingTotals(file: text)
    } catch {
      throw Problem(error)
    }
    return try await call.perform(.exercise(.totals(totals)))
  }

  private static func set(_ call: Call) async throws -> Response {
    let settings: ExerciseSettings = try call.decode()
    _ = try await call.perform(.exercise(.settings(settings)))
    return Reply.json(settings)
  }
}
