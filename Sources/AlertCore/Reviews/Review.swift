/// What the owner wrote about an alarm, or without one, in four steps (R80 to R84). Nobody else
/// reads it: its words are in no log entry, message or document of an incident.
///
/// ```
/// begun → in progress ⇄ completed
/// ```
public struct Review: Codable, Equatable, Sendable {
  /// Whether the owner has said that it is done; a later save takes that back.
  public enum State: String, Codable, CaseIterable, Sendable { case inProgress, completed }

  /// From 1.
  public let id: Int
  /// The alarm that it looks back on; nil: none.
  public let incident: IncidentID?
  /// The four questions, as they were when it was begun.
  public let steps: [ReviewStep]
  /// One for each step.
  public internal(set) var answers: [ReviewAnswer]
  /// What was saved, the latest last; at most the last `Review.versions`.
  public internal(set) var versions: [ReviewVersion] = []
  public internal(set) var state = State.inProgress
  /// µs since 1970, as the other times are.
  public let createdAt: Int64
  /// When it was last completed; nil: it is in progress.
  public internal(set) var completedAt: Int64?
  /// When it was last saved or completed.
  public internal(set) var changedAt: Int64

  /// How many saves of one review are kept.
  public static var versions: Int { 50 }
  /// The longest answer, in characters as Unicode counts them.
  public static var length: Int { 4_000 }

  init(_ id: Int, of incident: IncidentID?, _ steps: [ReviewStep], at wall: Int64) {
    self.id = id
    self.incident = incident
    self.steps = steps
    answers = steps.map { _ in ReviewAnswer() }
    createdAt = wall
    changedAt = wall
  }

  /// Its words, in bytes: questions, answers and what was saved before.
  var size: Int {
    Self.size(of: steps) + answers.reduce(0) { $0 + $1.text.utf8.count }
      + versions.reduce(0) { $0 + $1.text.utf8.count }
  }

  static func size(of steps: [ReviewStep]) -> Int {
    steps.reduce(0) {
      $0 + $1.key.utf8.count + $1.label.utf8.count + $1.question.utf8.count + $1.info.utf8.count
    }
  }

  /// The steps without an answer, from 1.
  public var unanswered: [Int] {
    answers.indices.filter { answers[$0].text.allSatisfy(\.isWhitespace) }.map { $0 + 1 }
  }

  /// Takes what a step's answer is from now on.
  mutating func save(_ text: String, of step: Int, at wall: Int64) {
    answers[step - 1] = ReviewAnswer(text: text, version: answers[step - 1].version + 1)
    versions.append(ReviewVersion(step: step, text: text, savedAt: wall))
    if versions.count > Self.versions { versions.removeFirst(versions.count - Self.versions) }
    state = .inProgress
    completedAt = nil
    changedAt = wall
  }

  /// Why a text of this length cannot be kept; nil: it can.
  static func fault(of text: String, _ range: ClosedRange<Int>) -> String? {
    guard range.contains(text.unicodeScalars.count) else {
      return "is not \(range.lowerBound) to \(range.upperBound) characters long"
    }
    let isPlain = text.unicodeScalars.allSatisfy {
      !FieldValidation.isControl($0) || $0 == "\n" || $0 == "\r" || $0 == "\t"
    }
    return isPlain ? nil : "has a control character"
  }

  /// Why a core cannot use a stored one, as a clause; nil where it can.
  package var misfit: String? {
    let times: ClosedRange<Int64> = -300_000_000_000_000_000...300_000_000_000_000_000
    let range = 0...Self.length
    let isSound =
      id > 0 && id < 1 << 53 && ReviewStep.refusal(of: steps) == nil
      && answers.count == ReviewStep.count && versions.count <= Self.versions
      && answers.allSatisfy { $0.version >= 0 && Self.fault(of: $0.text, range) == nil }
      && versions.allSatisfy {
        (1...ReviewStep.count).contains($0.step) && Self.fault(of: $0.text, range) == nil
          && times.contains($0.savedAt)
      }
      && [createdAt, completedAt ?? 0, changedAt].allSatisfy(times.contains)
      && (state == .completed) == (completedAt != nil)
    return isSound ? nil : "a value of the review is out of its range"
  }
}

/// The answer to one step.
public struct ReviewAnswer: Codable, Equatable, Sendable {
  /// 0 to 4,000 characters.
  public internal(set) var text = ""
  /// How often it was saved: who saves it names the one that they saw.
  public internal(set) var version = 0
}

/// One save of a step.
public struct ReviewVersion: Codable, Equatable, Sendable {
  /// 1 to 4.
  public let step: Int
  /// As it was saved.
  public let text: String
  /// µs since 1970.
  public let savedAt: Int64
}

/// The alarm that the owner was last asked to look back on.
public struct ReviewOffer: Codable, Equatable, Sendable {
  /// It is over, and has no review.
  public let incident: IncidentID
  /// When that alarm began, µs since 1970.
  public let openedAt: Int64
  /// When the owner resumed from it, µs since 1970.
  public let offeredAt: Int64
}

/// A row of the reviews that a step changed. Later ones replace earlier ones of the same row.
public enum ReviewChange: Equatable, Sendable {
  indirect case review(Review)
  case reviewRemoved(Int)
  case template([ReviewStep])
  case offer(ReviewOffer)
  case offerRemoved
}

/// The reviews that an earlier run left.
public struct StoredReviews: Equatable, Sendable {
  /// In any order.
  public var reviews: [Review] = []
  /// Nil: the standard ones.
  public var template: [ReviewStep]?
  /// Nil: none is open.
  public var offer: ReviewOffer?

  /// None.
  public init() {}

  /// As it is with one row changed.
  package mutating func apply(_ change: ReviewChange) {
    switch change {
    case .review(let changed): reviews.replace(changed, by: \.id)
    case .reviewRemoved(let id): reviews.removeAll { $0.id == id }
    case .template(let steps): template = steps
    case .offer(let offer): self.offer = offer
    case .offerRemoved: offer = nil
    }
  }
}
