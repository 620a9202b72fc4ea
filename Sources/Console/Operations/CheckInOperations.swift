import AlertCore
import Bridge
import FobBase
import Foundation
import HTTPTypes
import Hummingbird

/// Single check-ins: what is asked, its answers, the history and the settings (R97 to R107, R112).
enum CheckInOperations {
  private static let place: [Operation.Parameter] = [
    .path("series", CheckInShapes.series, "The series"),
    .path("key", CheckInShapes.key, "Which one of the series"),
  ]
  private static let done = [Operation.Success.json(.reference("Done"), "It is durable")]
  private static let settings = JSONSchema.reference("CheckInSettings")

  static let all = [
    Operation(
      method: .get, path: "/v1/check-ins", scope: .observe,
      summary: "What is asked and what will be, oldest first",
      parameters: [
        .query(
          "view", .choice(["all", "overview"]),
          "all, or the oldest of each series (overview)"),
        .query("search", .text(0...160), "Those with this in their description, whatever the case"),
        .query(
          "state", .choice(ListedCheckIn.Phase.allCases.map(\.rawValue)), "Those of this phase"),
        .query("after", CheckInShapes.cursor, "Those behind this row"),
        .query(
          "limit", .integer(1...Int64(ConsoleLimits.checkIns)),
          "At most so many; \(ConsoleLimits.checkIns) where it is not said"),
      ],
      success: [
        .json(
          .open(
            .needed("checkIns", .array(.reference("CheckIn"), limit: ConsoleLimits.checkIns)),
            .needed("now", CheckInShapes.moment), .needed("inTime", .count),
            .needed("overdue", .count), .optional("next", CheckInShapes.cursor)),
          "next goes on, as after; inTime and overdue count all that can be answered")
      ], handler: list),
    Operation(
      method: .post, path: "/v1/check-ins/{series}/{key}/complete", scope: .operate,
      summary: "All is well: answers a check-in", parameters: place,
      form: .json(.closed(.optional("comment", CheckInShapes.comment)), isRequired: false),
      isUrgent: true, success: done, problems: Operation.refusals, handler: complete),
    Operation(
      method: .post, path: "/v1/check-ins/{series}/{key}/restore", scope: .administer,
      summary: "Asks an answered one again; comment and time are lost", parameters: place,
      form: .json(.closed(), isRequired: false), success: done, problems: Operation.refusals,
      handler: { try await $0.perform(.checkIn(.restore(try id(of: $0)), isProven: false)) }),
    Operation(
      method: .patch, path: "/v1/check-ins/{series}/{key}", scope: .administer,
      summary: "Changes this one alone, its moment by due, or by date and time;"
        + " it needs the PIN where its series escalates",
      parameters: place,
      form: .json(
        .closed(
          .optional("due", CheckInShapes.moment), .optional("date", CheckInShapes.date),
          .optional("time", CheckInShapes.time),
          .optional("description", CheckInShapes.description),
          .optional("lead", CheckInShapes.lead), .optional("pin", .pin)),
        isRequired: true),
      success: done, problems: Operation.refusals, handler: change),
    Operation(
      method: .delete, path: "/v1/check-ins/{series}/{key}", scope: .administer,
      summary: "Takes this one alone out; it needs the PIN where its series escalates",
      parameters: place, form: .json(.closed(.optional("pin", .pin)), isRequired: false),
      success: done, problems: Operation.refusals,
      handler: { call in
        Reply.json(Done(try await call.checkIn(.drop(try id(of: call)), pin: call.pin)))
      }),
    Operation(
      method: .patch, path: "/v1/check-ins/{series}/{key}/comment", scope: .operate,
      summary: "Replaces the comment of one in the history", parameters: place,
      form: .json(.closed(.needed("comment", CheckInShapes.comment)), isRequired: true),
      success: done, problems: Operation.refusals, handler: comment),
    Operation(
      method: .get, path: "/v1/check-ins/history", scope: .observe,
      summary: "What became of what was asked, latest first",
      parameters: [
        .query("before", CheckInShapes.cursor, "Those that come after this row"),
        .query("limit", .integer(1...Int64(ConsoleLimits.rows)), "At most so many"),
      ],
      success: [
        .json(
          .open(
            .needed("entries", .array(.reference("PastCheckIn"), limit: ConsoleLimits.rows)),
            .needed("total", .count), .optional("next", CheckInShapes.cursor)),
          "next goes on, as before")
      ], handler: history),
    Operation(
      method: .get, path: "/v1/check-ins/settings", scope: .observe,
      summary: "How often is asked again, and how much is kept and shown",
      success: [.json(settings, "As they are now")],
      handler: { Reply.json($0.core.checkIns.settings) }),
    Operation(
      method: .put, path: "/v1/check-ins/settings", scope: .administer,
      summary: "Replaces the settings", form: .json(settings, isRequired: true),
      success: [.json(settings, "As they are now")], problems: Operation.refusals, handler: set),
  ]

  // MARK: Lists

  private struct List: Encodable {
    let checkIns: [CheckInView]
    let now: Int64
    let inTime: Int
    let overdue: Int
    let next: String?
  }

  private static func list(_ call: Call) async throws -> Response {
    let view = call.query["view"]
    let phase = call.query["state"].flatMap { ListedCheckIn.Phase(rawValue: $0) }
    let after = call.query["after"].flatMap { CheckInCursor($0) }
    let limit = call.query["limit"].flatMap { Int($0) } ?? ConsoleLimits.checkIns
    let words = call.query["search"]?.lowercased() ?? ""
    let core = call.core
    let list = try await call.api.lists.run(of: call.owner) {
      var query = CheckInQuery()
      query.isOverview = view == "overview"
      query.phase = phase
      query.after = after.map { ($0.moment, $0.id) }
      if !words.isEmpty { query.isWanted = { $0.lowercased().contains(words) } }
      let (checkIns, now) = (core.checkIns, core.wall)
      let rows = Array(checkIns.list(query, at: now).prefix(limit + 1))
      let page = rows.prefix(limit)
      let overdue = checkIns.open.count { $0.due <= now }
      return List(
        checkIns: page.map { CheckInView($0) }, now: now,
        inTime: checkIns.open.count - overdue, overdue: overdue,
        next: rows.count > limit ? page.last.map { CheckInCursor($0).text } : nil)
    }
    return Reply.json(list)
  }

  private struct History: Encodable {
    let entries: [PastCheckInView]
    let total: Int
    let next: String?
  }

  private static func history(_ call: Call) async throws -> Response {
    let closed = call.core.checkIns.closed
    let before = call.query["before"].flatMap { CheckInCursor($0) }
    let rows = closed.map { (cursor: CheckInCursor($0), row: $0) }
      .filter { row in before.map { row.cursor < $0 } ?? true }
      .sorted { $0.cursor > $1.cursor }
    let page = rows.prefix(call.limit)
    return Reply.json(
      History(
        entries: page.map { PastCheckInView($0.row) }, total: closed.count,
        next: rows.count > call.limit ? page.last?.cursor.text : nil))
  }

  // MARK: Changes

  private static func complete(_ call: Call) async throws -> Response {
    let comment = comment(in: call)
    return try await call.perform(
      .checkIn(.complete(try id(of: call), comment: comment), isProven: false))
  }

  private static func comment(_ call: Call) async throws -> Response {
    let comment = comment(in: call)
    return try await call.perform(.checkIn(.comment(try id(of: call), comment), isProven: false))
  }

  private static func comment(in call: Call) -> String { call.body.json["comment"]?.text ?? "" }

  private static func change(_ call: Call) async throws -> Response {
    let json = call.body.json
    let lead = json["lead"]?.whole.map { Int($0) }
    let change = CheckInCommand.change(
      try id(of: call), due: try due(in: call), description: json["description"]?.text,
      lead: lead)
    return Reply.json(Done(try await call.checkIn(change, pin: call.pin)))
  }

  /// `due`, or `date` and `time` in the account's zone.
  private static func due(in call: Call) throws(Problem) -> Int64? {
    let json = call.body.json
    switch (json["due"]?.whole, json["date"]?.text, json["time"]?.text) {
    case (let due, nil, nil): return due
    case (nil, let date?, let time?):
      guard let day = CivilDate(text: date), let minute = LocalTime.minute(time) else {
        throw .wrong("date", "no day of the calendar")
      }
      return (call.core.checkIns.zone ?? .utc).instant(of: day, minute: minute)
    default: throw .wrong("due", "either due, or date and time")
    }
  }

  private static func set(_ call: Call) async throws -> Response {
    let settings: CheckInSettings = try call.decode()
    _ = try await call.perform(.checkIn(.settings(settings), isProven: false))
    return Reply.json(call.core.checkIns.settings)
  }

  private static func id(of call: Call) throws(Problem) -> CheckIn.ID {
    guard let series = Int(call.parameter("series")),
      let key = OccurrenceKey(text: call.parameter("key"))
    else { throw .notFound }
    return CheckIn.ID(series: series, key: key)
  }
}
