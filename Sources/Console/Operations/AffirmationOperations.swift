import AlertCore
import Foundation
import HTTPTypes
import Hummingbird

/// The owner's lines and the reminders of them (R75, R76). None needs the PIN.
enum AffirmationOperations {
  private static let done = [Operation.Success.json(.reference("Done"), "It is durable")]
  private static let id = JSONSchema.integer(1...Int64(Int32.max))
  private static let text = JSONSchema.text(1...Affirmation.longest)
  private static let schedule = JSONSchema.closed(
    .needed("every", .choice(AffirmationSchedule.Every.allCases.map(\.rawValue))),
    .optional("weekday", .described(.choice(CheckInShapes.weekdays), "of weekly alone")),
    .optional(
      "hour", .described(.integer(0...23), "of weekly and daily alone, in the account's zone")),
    .optional("minute", .described(.integer(0...59), "of all but never")))
  private static let lines = JSONSchema.closed(
    .needed("lines", .array(text, limit: Affirmation.most)))
  /// Each character of a line has four bytes at the most, and is six in JSON's longest form.
  private static let longest = Affirmation.most * (Affirmation.longest * 6 + 8)

  static let all = [
    Operation(
      method: .get, path: "/v1/affirmations", scope: .observe,
      summary: "The owner's lines, the oldest first, and when they are reminded",
      success: [
        .json(
          .open(
            .needed(
              "affirmations",
              .array(.open(.needed("id", id), .needed("text", text)), limit: Affirmation.most)),
            .optional("current", id), .needed("schedule", schedule)),
          "current is shown; without lines there is none")
      ], handler: { Reply.json(List($0.core.affirmations)) }),
    Operation(
      method: .post, path: "/v1/affirmations", scope: .operate,
      summary: "Adds a line, which becomes the current one",
      form: .json(.closed(.needed("text", text)), isRequired: true), success: done,
      problems: Operation.refusals,
      handler: { try await $0.affirmation(.add($0.body.json["text"]?.text ?? "")) }),
    Operation(
      method: .delete, path: "/v1/affirmations/{id}", scope: .operate,
      summary: "Deletes a line; a supplied one does not come back",
      parameters: [.path("id", id, "The line")], form: .json(.closed(), isRequired: false),
      success: done, problems: Operation.refusals,
      handler: { call in
        guard let id = Int(call.parameter("id")) else { throw Problem.notFound }
        return try await call.affirmation(.remove(id))
      }),
    Operation(
      method: .put, path: "/v1/affirmations/current", scope: .operate,
      summary: "Shows another line: one by its id, or the next or previous one, round and round",
      form: .json(
        .closed(.optional("id", id), .optional("go", .choice(["next", "previous"]))),
        isRequired: true),
      success: done, problems: Operation.refusals, handler: turn),
    Operation(
      method: .put, path: "/v1/affirmations/schedule", scope: .operate,
      summary: "When the owner is reminded of the current line, by the log entry affirmationDue",
      form: .json(schedule, isRequired: true), success: done, problems: Operation.refusals,
      handler: { try await $0.affirmation(.remind(try $0.decode())) }),
    Operation(
      method: .get, path: "/v1/affirmations/mantras.txt", scope: .observe,
      summary: "The lines as a file, one a line",
      success: [.other("text/plain", "Each line ends with a newline; without lines it is empty")],
      handler: {
        Reply.file(
          Array($0.core.affirmations.file.utf8), "text/plain; charset=utf-8", name: "mantras.txt")
      }),
    Operation(
      method: .put, path: "/v1/affirmations/mantras.txt", scope: .operate,
      summary: "Replaces all lines by those of a file in UTF-8, or none; the first becomes current",
      form: .text(["text/plain"], lines), most: longest, success: done,
      problems: Operation.refusals, handler: replace),
  ]

  private struct List: Encodable {
    let affirmations: [Affirmation]
    let current: Int?
    let schedule: AffirmationSchedule

    init(_ all: Affirmations) {
      affirmations = all.lines
      current = all.settings.current
      schedule = all.settings.schedule
    }
  }

  private static func turn(_ call: Call) async throws -> Response {
    switch (call.body.json["id"]?.whole, call.body.json["go"]?.text) {
    case (let id?, nil): try await call.affirmation(.select(Int(id)))
    case (nil, "next"?): try await call.affirmation(.next)
    case (nil, "previous"?): try await call.affirmation(.previous)
    default: throw Problem.wrong("id", "either id, or go")
    }
  }

  private static func replace(_ call: Call) async throws -> Response {
    struct Body: Decodable { let lines: [String] }
    guard call.body.type == "text/plain" else {
      return try await call.affirmation(.replace(try call.decode(Body.self).lines))
    }
    guard let text = String(validating: call.body.file, as: UTF8.self) else {
      throw Problem.wrong("mantras.txt", "is no text in UTF-8")
    }
    guard text.isEmpty || text.utf8.last == UInt8(ascii: "\n") else {
      throw Problem.wrong("mantras.txt", "its last line has no newline at its end")
    }
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return try await call.affirmation(.replace(lines.dropLast().map { String($0) }))
  }
}

extension Call {
  fileprivate func affirmation(_ command: AffirmationCommand) async throws -> Response {
    try await perform(.affirmation(command))
  }
}
