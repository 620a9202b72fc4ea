import AlertCore
import FobBase

/// The JSON shapes of reviews.
enum ReviewShapes {
  static let id = JSONSchema.integer(1...1 << 53)
  static let week = JSONSchema.described(
    .pattern("^[0-9]{4}-W[0-9]{2}$", 8...8), "as in 2026-W48: from Monday on, by ISO 8601")
  /// Who reads or changes what the owner wrote shows that they are the owner.
  static let pin = Operation.Parameter(
    name: "Fob-PIN", place: .header, schema: .pin, summary: "The PIN, once one is set")
  static let text = JSONSchema.text(0...Review.length)
  static let steps = JSONSchema.array(
    .object(
      [
        .needed("key", .pattern("^[A-Za-z0-9-]{1,40}$", 1...40)), .needed("label", .text(1...40)),
        .needed("question", .text(1...300)), .optional("info", .text(0...2_000)),
      ], open: false), limit: ReviewStep.count)

  static let all: [String: JSONSchema] = [
    "Review": .object(
      summary + [
        .needed("steps", .array(step, limit: ReviewStep.count)),
        .needed(
          "answers",
          .array(
            .open(.needed("text", text), .needed("version", .count)), limit: ReviewStep.count)),
        .needed(
          "versions",
          .array(
            .open(
              .needed("step", .integer(1...4)), .needed("text", text),
              .needed("savedAt", CheckInShapes.moment)), limit: Review.versions)),
      ], open: true),
    "ReviewSummary": .object(summary, open: true),
    "ReviewTemplate": .open(.needed("steps", .array(step, limit: ReviewStep.count))),
  ]

  private static let summary: [JSONSchema.Property] = [
    .needed("id", id), .optional("incident", .incident),
    .needed("state", .choice(Review.State.allCases.map(\.rawValue))),
    .needed(
      "unanswered",
      .described(.array(.integer(1...4), limit: ReviewStep.count), "steps without an answer")),
    .needed("day", .described(CheckInShapes.date, "on which it was begun, in the account's zone")),
    .needed("createdAt", CheckInShapes.moment), .needed("changedAt", CheckInShapes.moment),
    .optional("completedAt", CheckInShapes.moment),
  ]

  private static let step = JSONSchema.open(
    .needed("key", .text), .needed("label", .text(1...40)), .needed("question", .text(1...300)),
    .needed("info", .text(0...2_000)),
    .needed("isStandard", .described(.boolean, "it is as fob comes with it")))
}
