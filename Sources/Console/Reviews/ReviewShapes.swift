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

/// A review as lists show it.
struct ReviewSummary: Encodable {
  let id: Int
  let incident: IncidentID?
  let state: Review.State
  let unanswered: [Int]
  let day: CivilDate
  let createdAt: Int64
  let changedAt: Int64
  let completedAt: Int64?

  init(_ review: Review, in zone: ZoneTable) {
    id = review.id
    incident = review.incident
    state = review.state
    unanswered = review.unanswered
    day = zone.date(at: review.createdAt)
    createdAt = review.createdAt
    changedAt = review.changedAt
    completedAt = review.completedAt
  }
}

/// A review with all that was written.
struct ReviewView: Encodable {
  private let summary: ReviewSummary
  private let review: Review

  init(_ review: Review, in zone: ZoneTable) {
    summary = ReviewSummary(review, in: zone)
    self.review = review
  }

  private enum Key: String, CodingKey { case steps, answers, versions }

  func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(review.steps.map { ReviewStepView($0) }, forKey: .steps)
    try values.encode(review.answers, forKey: .answers)
    try values.encode(review.versions, forKey: .versions)
  }
}

/// A step as the API shows it: whoever has words of their own for a standard one uses them.
struct ReviewStepView: Encodable {
  private let key: String
  private let label: String
  private let question: String
  private let info: String
  private let isStandard: Bool

  init(_ step: ReviewStep) {
    key = step.key
    label = step.label
    question = step.question
    info = step.info
    isStandard = ReviewStep.standard.contains(step)
  }
}
