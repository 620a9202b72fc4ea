import AlertCore
import FobBase
import Judge

/// Reviews: what the owner does about them, and whether a word of an answer comes out.
extension World {
  func perform(_ action: ReviewAction, _ host: SimulatedHost) {
    guard let run = host.run else { return }
    let reviews = run.core.reviews.reviews.values.sorted { $0.id < $1.id }
    let past = host.tables.newest { $0.endedAt != nil }
    switch action {
    case .begin(let isOfAlarm):
      let incident = isOfAlarm ? past?.id : nil
      ask(.beginReview(of: incident?.wire), as: .begin(incident), host)
    case .label:
      guard let past else { return }
      let survey = Survey(fell: past.survey?.fell != true)
      ask(.label(incident: past.id.wire), as: .outcome(past, survey), host)
    case .save(let place, let step, let word, let isStale):
      guard !reviews.isEmpty else { return }
      let review = reviews[place % reviews.count]
      let (text, version) = ("I felt \(word).", review.answers[step - 1].version)
      let seen = isStale ? max(0, version - 1) : version
      search.answered()
      ask(
        .saveAnswer(review: review.id, step: step, text: text, version: seen),
        as: .save(review.id, step: step, text: text, version: seen), host)
    case .complete(let place):
      guard !reviews.isEmpty else { return }
      let id = reviews[place % reviews.count].id
      ask(.completeReview(id), as: .complete(id), host)
    case .delete(let place):
      guard !reviews.isEmpty else { return }
      let id = reviews[place % reviews.count].id
      ask(.deleteReview(id), as: .delete(id), host)
    }
  }

  private func ask(_ userRequest: UserRequest, as command: ReviewCommand, _ host: SimulatedHost) {
    ask(userRequest, as: .review(command, isProven: true), host)
  }

  // MARK: Words of answers

  /// Looks for planted words in what leaves a host, once an answer has them.
  func publish<T: Encodable>(
    _ value: @autoclosure () -> T, in place: WordPlace, _ host: SimulatedHost
  ) {
    if search.isDue { look(at: value(), in: place, host) }
  }

  /// As `publish`, for entries of the log.
  func publish(_ entry: AuditEvent, in place: WordPlace, _ host: SimulatedHost) {
    if search.wants(entry.name, in: place) { look(at: entry, in: place, host) }
  }

  private func look(at value: some Encodable, in place: WordPlace, _ host: SimulatedHost) {
    for word in WordEncoder.words(of: plantedWords, in: value) {
      see(.wordSeen(host: host.index, word, place))
    }
  }
}

extension Batch.ReviewRow {
  init(_ review: Review) {
    self.init(id: review.id, incident: review.incident?.wire, answers: review.answers.map(\.text))
  }
}

extension Batch {
  mutating func add(_ changes: [ReviewChange]) {
    for change in changes {
      switch change {
      case .review(let review): reviews.append(ReviewRow(review))
      case .reviewRemoved(let id):
        reviews.removeAll { $0.id == id }
        removedReviews.append(id)
      case .template, .offer, .offerRemoved: break
      }
    }
  }
}
