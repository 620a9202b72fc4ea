import AlertCore
import FobBase
import HTTPTypes
import Hummingbird

/// The series of check-ins (R90 to R96, R107 to R109).
enum CheckInSeriesOperations {
  private static let id = Operation.Parameter.path("id", CheckInShapes.series, "The series")
  private static let asItIs = JSONSchema.reference("CheckInSeries")

  static let all = [
    Operation(
      method: .get, path: "/v1/check-ins/series", scope: .observe,
      summary: "Every series of check-ins, by id",
      parameters: [
        .query("after", .count, "Those with a greater id"),
        .query(
          "limit", .integer(1...Int64(ConsoleLimits.checkIns)),
          "At most so many; \(ConsoleLimits.checkIns) where it is not said"),
      ],
      success: [
        .json(
          .open(
            .needed("total", .count),
            .needed("series", .array(asItIs, limit: ConsoleLimits.checkIns)),
            .optional("next", .count)), "next goes on, as after")
      ], handler: list),
    Operation(
      method: .post, path: "/v1/check-ins/series", scope: .administer,
      summary: "Adds a series; after set-up one that escalates needs the PIN",
      form: .json(.reference("CheckInDraft"), isRequired: true),
      success: [.json(asItIs, "As it is now", status: .created)], problems: Operation.refusals,
      handler: add),
    Operation(
      method: .get, path: "/v1/check-ins/series/{id}", scope: .observe, summary: "One series",
      parameters: [id], success: [.json(asItIs, "As it is now")], handler: show),
    Operation(
      method: .patch, path: "/v1/check-ins/series/{id}", scope: .administer,
      summary: "Edits a series; it needs the PIN where it escalates before or after that",
      parameters: [id], form: .json(.reference("CheckInEdit"), isRequired: true),
      success: [.json(asItIs, "As it is now")], problems: Operation.refusals, handler: edit),
    Operation(
      method: .delete, path: "/v1/check-ins/series/{id}", scope: .administer,
      summary: "Removes a series; its history stays", parameters: [id],
      form: .json(.closed(.optional("pin", .pin)), isRequired: false),
      success: [.json(.reference("Done"), "It is gone")], problems: Operation.refusals,
      handler: remove),
    Operation(
      method: .post, path: "/v1/check-ins/series/{id}/reactivate", scope: .administer,
      summary: "Asks an ended series again, from a new first day on", parameters: [id],
      form: .json(.reference("CheckInReactivation"), isRequired: true),
      success: [.json(asItIs, "As it is now")], problems: Operation.refusals,
      handler: reactivate),
    Operation(
      method: .post, path: "/v1/check-ins/preview", scope: .operate,
      summary: "When a draft would fall due, or a series after an edit; changes nothing",
      form: .json(.reference("CheckInPreview"), isRequired: true),
      success: [
        .json(
          .open(
            .needed(
              "moments",
              .array(
                .open(.needed("key", CheckInShapes.key), .needed("due", CheckInShapes.moment)),
                limit: previewed))),
          "At most \(previewed), in order")
      ], problems: [404], handler: preview),
  ]

  private static let previewed = 31

  // MARK: Reading

  private struct Rows: Encodable {
    let total: Int
    let series: [SeriesView]
    let next: Int?
  }

  private static func list(_ call: Call) async throws -> Response {
    let after = call.query["after"].flatMap { Int($0) } ?? 0
    let limit = call.query["limit"].flatMap { Int($0) } ?? ConsoleLimits.checkIns
    let all = call.core.checkIns.series
    let ids = all.keys.filter { $0 > after }.sorted().prefix(limit + 1)
    let rows = ids.prefix(limit).compactMap { all[$0].map { SeriesView($0) } }
    return Reply.json(
      Rows(
        total: all.count, series: rows, next: ids.count > limit ? ids.prefix(limit).last : nil))
  }

  private static func show(_ call: Call) async throws -> Response {
    Reply.json(SeriesView(try series(of: call)))
  }

  private struct Preview: Encodable {
    let moments: [Row]

    struct Row: Encodable {
      let key: OccurrenceKey
      let due: Int64
    }

    init(_ moments: [Recurrence.Occurrence]) {
      self.moments = moments.map { Row(key: $0.key, due: $0.due) }
    }
  }

  private static func preview(_ call: Call) async throws -> Response {
    var draft = try call.draft()
    let (checkIns, now) = (call.core.checkIns, call.core.wall)
    guard let id = call.body.json["series"]?.whole else {
      // The dates are asked for before the words are written.
      if draft.description ?? "" == "" { draft.description = "-" }
      return Reply.json(Preview(try checkIns.preview(draft, count: previewed, at: now)))
    }
    guard let series = checkIns.series[Int(id)] else {
      throw Problem(UserCommand.Refusal.unknownSeries)
    }
    let recurrence = series.recurrence.edited(by: draft)
    if let refusal = recurrence.refusal() { throw Problem(refusal) }
    let moments = recurrence.occurrences(after: now, count: previewed, in: checkIns.zone ?? .utc)
    return Reply.json(Preview(moments))
  }

  // MARK: Changes

  private static func add(_ call: Call) async throws -> Response {
    let answer = try await call.checkIn(.add(try call.draft()), pin: call.pin)
    guard let id = answer.made, let series = call.core.checkIns.series[id] else {
      throw Problem(.conflict, "changedMeanwhile", "added, and removed again meanwhile")
    }
    return Reply.json(SeriesView(series), status: .created)
  }

  private static func edit(_ call: Call) async throws -> Response {
    let draft = try call.draft()
    _ = try await call.checkIn(.edit(series: try id(of: call), draft), pin: call.pin)
    return try await show(call)
  }

  private static func remove(_ call: Call) async throws -> Response {
    let id = try id(of: call)
    return Reply.json(Done(try await call.checkIn(.remove(series: id), pin: call.pin)))
  }

  private static func reactivate(_ call: Call) async throws -> Response {
    let draft = try call.draft()
    _ = try await call.checkIn(.reactivate(series: try id(of: call), draft), pin: call.pin)
    return try await show(call)
  }

  private static func id(of call: Call) throws(Problem) -> Int {
    guard let id = Int(call.parameter("id")) else { throw .notFound }
    return id
  }

  private static func series(of call: Call) throws(Problem) -> CheckInSeries {
    guard let series = call.core.checkIns.series[try id(of: call)] else {
      throw Problem(UserCommand.Refusal.unknownSeries)
    }
    return series
  }
}

extension Recurrence {
  /// With what the draft gives in place of its own.
  fileprivate func edited(by draft: CheckInDraft) -> Recurrence {
    Recurrence(
      draft.rule ?? rule, at: draft.minute ?? minute, from: draft.start ?? start,
      until: draft.end ?? end)
  }
}
