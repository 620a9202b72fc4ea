import AlertCore
import FobBase
import Judge

/// Reviews: what the owner does about them, and whether a word of an answer comes out.
extension World {
  func perform(_ action: ReviewAction, _ host: SimulatedHost) {
    guard let run = host.run else { return }
    let reviews = run.core.reviews.reviews.values.sorted { $0.id < $1.id }
    let past = host.disk.tables.newest { $0.endedAt != nil }
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
  func publish(_ text: @autoclosure () -> String, in place: WordPlace, _ host: SimulatedHost) {
    guard search.isDue else { return }
    let bytes = Array(text().utf8)
    for word in plantedWords where bytes.contains(word) {
      see(.wordSeen(host: host.index, word, place))
    }
  }

  /// As `publish`, for entries of the log.
  func publish(_ entry: AuditEvent, in place: WordPlace, _ host: SimulatedHost) {
    if search.wants(entry.name, in: place) { publish("\(entry)", in: place, host) }
  }
}

/// When words are looked for. To write an entry out takes as long as all that the core does for it,
/// so of each kind the first ones are looked at, again behind each answer that is saved.
struct WordSearch {
  private static let ofEachKind = 4
  /// An answer was saved.
  private(set) var isDue = false
  private var seen: [WordPlace: [AuditEvent.Name: Int]] = [:]

  mutating func answered() {
    isDue = true
    seen = [:]
  }

  mutating func wants(_ name: AuditEvent.Name, in place: WordPlace) -> Bool {
    guard isDue else { return false }
    seen[place, default: [:]][name, default: 0] += 1
    return seen[place]?[name] ?? 0 <= Self.ofEachKind
  }
}

extension [UInt8] {
  /// Byte by byte: Swift's own search goes by characters.
  fileprivate func contains(_ word: String) -> Bool {
    let word = Array(word.utf8)
    guard let first = word.first, word.count <= count else { return false }
    return (0...count - word.count).contains { at in
      self[at] == first && self[at..<at + word.count].elementsEqual(word)
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
