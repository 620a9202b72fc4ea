public import AlertCore

/// A review as lists of the API and of the control socket show it.
public struct ReviewSummary: Encodable, Sendable {
  /// Lists go by it.
  public let id: Int
  /// The alarm that it looks back on; nil: none.
  public let incident: IncidentID?
  /// As it is now.
  public let state: Review.State
  private let unanswered: [Int]
  /// On which it was begun, in the account's zone.
  public let day: CivilDate
  private let createdAt: Int64
  private let changedAt: Int64
  private let completedAt: Int64?

  /// - Parameters:
  ///   - review: without its words.
  ///   - zone: of the account.
  public init(_ review: Review, in zone: ZoneTable) {
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
public struct ReviewView: Encodable, Sendable {
  private let summary: ReviewSummary
  private let review: Review

  /// - Parameters:
  ///   - review: with its words, for the owner alone.
  ///   - zone: of the account.
  public init(_ review: Review, in zone: ZoneTable) {
    summary = ReviewSummary(review, in: zone)
    self.review = review
  }

  private enum Key: String, CodingKey { case steps, answers, versions }

  /// Its parts beside those of the summary.
  public func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(review.steps.map { ReviewStepView($0) }, forKey: .steps)
    try values.encode(review.answers, forKey: .answers)
    try values.encode(review.versions, forKey: .versions)
  }
}

/// A step as it is shown: whoever has words of their own for a standard one uses them.
public struct ReviewStepView: Encodable, Sendable {
  private let key: String
  private let label: String
  private let question: String
  private let info: String
  private let isStandard: Bool

  /// Holds what it shows.
  public init(_ step: ReviewStep) {
    key = step.key
    label = step.label
    question = step.question
    info = step.info
    isStandard = ReviewStep.standard.contains(step)
  }
}
