import FobBase

/// Remembers the reviews of one host: what was written, what its disk holds, and what it says of
/// them when it has started.
struct ReviewWitness: Sendable {
  private struct Answer: Sendable {
    /// What was said to be durable.
    var durable: String?
    /// What was asked for since: a restart may find it or not.
    var asked: [(request: UInt64, text: String)] = []
  }

  private struct Place: Hashable, Sendable {
    let review: Int
    let step: Int
  }

  let index: Int
  private var answers: [Place: Answer] = [:]
  /// Reviews that are asked to be deleted, and by which requests: a restart may find them or not.
  /// One that was done and is not durable counts until another is, or until a restart.
  private var leaving: [Int: Set<UInt64>] = [:]
  private var rows: [Int: Batch.ReviewRow] = [:]
  /// Everything that was ever written as an answer.
  private var written: [String] = []

  init(_ index: Int) { self.index = index }

  // MARK: Asking

  mutating func asked(_ userRequest: UserRequest, _ request: UInt64) {
    switch userRequest {
    case .saveAnswer(let review, let step, let text, _):
      answers[Place(review: review, step: step), default: Answer()].asked.append((request, text))
      written.append(text)
    case .deleteReview(let review): leaving[review, default: []].insert(request)
    default: break
    }
  }

  mutating func answered(
    _ userRequest: UserRequest, _ request: UInt64, isRefused: Bool, isDurable: Bool
  ) {
    switch userRequest {
    case .saveAnswer(let review, let step, _, _):
      let place = Place(review: review, step: step)
      guard isRefused || isDurable, var answer = answers[place],
        let at = answer.asked.firstIndex(where: { $0.request == request })
      else { return }
      if isRefused {
        answer.asked.remove(at: at)
      } else {
        answer.durable = answer.asked[at].text
        answer.asked.removeFirst(at + 1)
      }
      answers[place] = answer
    case .deleteReview(let review):
      if isRefused {
        leaving[review]?.remove(request)
      } else if isDurable {
        // A new one may get its number.
        answers = answers.filter { $0.key.review != review }
        leaving[review] = nil
      }
    default: break
    }
  }

  private func isLeaving(_ review: Int) -> Bool { leaving[review]?.isEmpty == false }

  /// Whether the disk has the answer, or a later one in its place.
  func isOnDisk(_ review: Int, _ step: Int, _ text: String) -> Bool {
    rows[review]?.answers[step - 1] == text || isLeaving(review)
      || answers[Place(review: review, step: step)]?.asked.last?.text != text
  }

  // MARK: The disk

  mutating func stored(_ batch: Batch, at now: Instant, _ violationLog: inout ViolationLog) {
    for id in batch.removedReviews { rows[id] = nil }
    for row in batch.reviews {
      rows[row.id] = row
      let other = rows.values.first { $0.id != row.id && $0.incident == row.incident }
      guard let incident = row.incident, let other else { continue }
      violationLog.accuse(
        .reviewDoubled, at: now,
        "host \(index + 1) has the reviews \(other.id) and \(row.id) of \(incident.incident)")
    }
  }

  /// A disk that has lied says what it really holds.
  mutating func found(_ found: Batch) {
    rows = Dictionary(found.reviews.map { ($0.id, $0) }) { $1 }
    answers = [:]
    leaving = [:]
  }

  // MARK: What it says

  /// The core is asked for its reviews: when it has started, and at the end.
  mutating func read(
    _ reviews: [Batch.ReviewRow], isStart: Bool, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    let said = Dictionary(reviews.map { ($0.id, $0) }) { $1 }
    for (place, answer) in answers where !isLeaving(place.review) {
      guard let durable = answer.durable else { continue }
      let read = said[place.review]?.answers[place.step - 1]
      guard read != durable, !answer.asked.contains(where: { $0.text == read }) else { continue }
      violationLog.accuse(
        .answerLost, at: now,
        "host \(index + 1) does not have answer \(place.step) of review \(place.review)")
    }
    guard isStart else { return }
    answers = [:]
    leaving = [:]
    for row in reviews {
      for (at, text) in row.answers.enumerated() where !text.isEmpty {
        answers[Place(review: row.id, step: at + 1)] = Answer(durable: text)
      }
    }
  }

  /// A word that was planted has come out of the host.
  func seen(_ word: String, in place: WordPlace, at now: Instant, _ log: inout ViolationLog) {
    guard written.contains(where: { $0.contains(word) }) else { return }
    log.accuse(.answerLeaked, at: now, "host \(index + 1) has an answer in \(place.rawValue)")
  }
}

/// Where words leave a host, beside the answer to who asks for the review itself.
public enum WordPlace: String, Sendable, CaseIterable {
  case log = "its log"
  case stream = "what it tells watchers"
  case message = "a message"
  case status = "its status"
}

extension Batch {
  /// A review, as it is last.
  public struct ReviewRow: Sendable {
    /// From 1.
    public var id: Int
    /// As INDICATE carries it; nil: it looks back on none.
    public var incident: UInt64?
    /// One for each step.
    public var answers: [String]

    /// Made from what the store was given.
    public init(id: Int, incident: UInt64?, answers: [String]) {
      self.id = id
      self.incident = incident
      self.answers = answers
    }
  }
}
