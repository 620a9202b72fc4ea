import FobBase

/// The reviews of an account (R80 to R84): what was written, and which alarm may be looked back on.
public struct Reviews: Sendable {
  /// The steps of new reviews.
  public internal(set) var template = ReviewStep.standard
  /// By id.
  public internal(set) var reviews: [Int: Review] = [:]
  /// Of all words in them, in bytes.
  private var size = 0
  /// The alarm that was resumed from last; nil: it was declined, or has a review.
  public internal(set) var offer: ReviewOffer?

  /// How many are kept.
  public static var limit: Int { 2_000 }
  /// How many bytes of words: they stay in memory, which the accounts of a process share.
  public static var room: Int { 16 << 20 }

  init() {}

  /// The next one takes the place of the oldest completed one without an alarm.
  public var isFull: Bool { reviews.count >= Self.limit }

  /// The review of an alarm; nil: it has none.
  public func review(of incident: IncidentID) -> Review? {
    reviews.values.first { $0.incident == incident }
  }

  private static let noRoom = UserCommand.Refusal.tooMany("bytes of reviews", limit: room)

  // MARK: Changes

  /// - Returns: the new one's id.
  mutating func begin(
    _ incident: IncidentID?, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) throws(UserCommand.Refusal) -> Int {
    if let incident, review(of: incident) != nil { throw .reviewExists }
    guard size + Review.size(of: template) <= Self.room else { throw Self.noRoom }
    while isFull {
      let oldest = reviews.values.filter { $0.incident == nil && $0.state == .completed }
        .min { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
      guard let oldest else { throw .tooMany("reviews", limit: Self.limit) }
      remove(oldest, by: "core", at: now, &output)
    }
    let review = Review((reviews.keys.max() ?? 0) + 1, of: incident, template, at: now.wall)
    put(review, .reviewStarted, by: who, at: now, &output)
    if offer?.incident == incident, incident != nil { endOffer(&output) }
    return review.id
  }

  /// - Parameter version: the one of the step that the writer saw.
  mutating func save(
    _ text: String, of step: Int, version: Int, in id: Int, by who: String, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    guard var review = reviews[id] else { return .unknownReview }
    guard (1...ReviewStep.count).contains(step) else { return .invalid("step", "is not 1 to 4") }
    if let fault = Review.fault(of: text, 0...Review.length) { return .invalid("text", fault) }
    let stored = review.answers[step - 1]
    // The same request again: its answer was lost.
    guard stored.text != text else { return nil }
    guard stored.version == version else { return .changed }
    let before = review.size
    review.save(text, of: step, at: now.wall)
    guard review.size <= before || size - before + review.size <= Self.room else {
      return Self.noRoom
    }
    put(review, .reviewSaved, step: step, by: who, at: now, &output)
    return nil
  }

  mutating func complete(
    _ id: Int, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    guard var review = reviews[id] else { return .unknownReview }
    guard review.unanswered.isEmpty else { return .unanswered(review.unanswered) }
    guard review.state == .inProgress else { return nil }
    review.state = .completed
    review.completedAt = now.wall
    review.changedAt = now.wall
    put(review, .reviewCompleted, by: who, at: now, &output)
    return nil
  }

  mutating func delete(
    _ id: Int, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    guard let review = reviews[id] else { return .unknownReview }
    remove(review, by: who, at: now, &output)
    return nil
  }

  mutating func set(
    _ steps: [ReviewStep], by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    if let refusal = ReviewStep.refusal(of: steps) { return refusal }
    template = steps
    output.changes.reviews.append(.template(steps))
    output.note(AuditEvent(.reviewTemplateChanged, at: now, by: who))
    return nil
  }

  /// The owner has resumed from an alarm.
  mutating func offer(_ incident: Incident, at now: Timestamp, _ output: inout CoreOutput) {
    guard review(of: incident.id) == nil else { return }
    let offer = ReviewOffer(
      incident: incident.id, openedAt: incident.openedAt.wall, offeredAt: now.wall)
    self.offer = offer
    output.changes.reviews.append(.offer(offer))
  }

  mutating func decline(
    by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let declined = offer else { return }
    endOffer(&output)
    output.note(AuditEvent(.reviewDeclined, at: now, by: who), declined.incident)
  }

  private mutating func endOffer(_ output: inout CoreOutput) {
    offer = nil
    output.changes.reviews.append(.offerRemoved)
  }

  private mutating func put(
    _ review: Review, _ name: AuditEvent.Name, step: Int? = nil, by who: String,
    at now: Timestamp, _ output: inout CoreOutput
  ) {
    keep(review)
    output.changes.reviews.append(.review(review))
    output.note(
      AuditEvent(name, at: now, by: who, .review(review.id, step: step)), review.incident)
  }

  private mutating func remove(
    _ review: Review, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    size -= reviews.removeValue(forKey: review.id)?.size ?? 0
    output.changes.reviews.append(.reviewRemoved(review.id))
    output.note(
      AuditEvent(.reviewDeleted, at: now, by: who, .review(review.id, step: nil)), review.incident)
  }

  mutating func recover(_ stored: StoredReviews) {
    template = stored.template ?? ReviewStep.standard
    for review in stored.reviews { keep(review) }
    offer = stored.offer
  }

  private mutating func keep(_ review: Review) {
    let former = reviews.updateValue(review, forKey: review.id)
    size += review.size - (former?.size ?? 0)
  }
}
