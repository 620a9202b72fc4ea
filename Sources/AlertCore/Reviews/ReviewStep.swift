/// One of the four questions of a review (R80).
public struct ReviewStep: Codable, Equatable, Sendable {
  /// Names the step for programs; 1 to 40 letters, digits and hyphens.
  public let key: String
  /// 1 to 40 characters.
  public let label: String
  /// 1 to 300 characters.
  public let question: String
  /// What helps to answer (R81); 0 to 2,000 characters.
  public let info: String

  /// Nothing is checked.
  public init(key: String, label: String, question: String, info: String = "") {
    self.key = key
    self.label = label
    self.question = question
    self.info = info
  }

  /// The steps where nobody has written others.
  public static let standard = [
    ReviewStep(
      key: "wonder", label: "Wonder", question: "What happened, and what did you feel?",
      info: "Tell it as it comes to mind. Nobody else reads this."),
    ReviewStep(
      key: "explore", label: "Explore", question: "What else could it have been?",
      info: "Look at it from another side: what would somebody else have seen?"),
    ReviewStep(
      key: "learn", label: "Learn", question: "What do you take from it?",
      info: "One thing is enough: about you, about others, or about a place."),
    ReviewStep(
      key: "loop", label: "Loop", question: "What will you do next time?",
      info: "One small step that you can take by yourself."),
  ]

  /// How many steps a review has.
  public static var count: Int { 4 }

  /// The name and length of the part that is too long or missing; nil: it can be used.
  private var fault: (part: String, reason: String)? {
    let isName = key.utf8.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
    }
    if !isName || !(1...40).contains(key.utf8.count) {
      return ("key", "is not 1 to 40 letters, digits and hyphens")
    }
    let parts = [
      ("label", label, 1...40), ("question", question, 1...300), ("info", info, 0...2_000),
    ]
    for (part, text, range) in parts {
      if let reason = Review.fault(of: text, range) { return (part, reason) }
    }
    return nil
  }

  /// Why these cannot be the steps of a review; nil: they can.
  static func refusal(of steps: [ReviewStep]) -> UserCommand.Refusal? {
    guard steps.count == count, Set(steps.map(\.key)).count == count else {
      return .invalid("steps", "are not four with keys of their own")
    }
    for (index, step) in steps.enumerated() {
      if let fault = step.fault { return .invalid("steps[\(index)].\(fault.part)", fault.reason) }
    }
    return nil
  }
}

/// The steps of new reviews, as they are stored.
package struct ReviewTemplate: Codable, Equatable, Sendable {
  package let steps: [ReviewStep]

  package init(steps: [ReviewStep]) { self.steps = steps }

  /// Why a core cannot use a stored one, as a clause; nil where it can.
  package var misfit: String? {
    ReviewStep.refusal(of: steps).map { "a step of reviews: \($0)" }
  }
}
