/// One thing that an end of the link said, told apart from how often and with which numbers it
/// said it: what two runs of the same story have in common.
public struct Meaning: Hashable, Sendable {
  /// What it is about, and so how two runs are compared.
  public enum Subject: String, CaseIterable, Sendable {
    /// HELLO was answered.
    case linked
    /// Events, by their kind.
    case event
    /// Events, by their number.
    case acked
    /// States of the light, with the sounder.
    case shown
    case configured
    case rejected

    /// Whether the order counts. Acks may overtake each other, and a state may come before or
    /// after an ack.
    public var isOrdered: Bool { self == .event || self == .shown }
  }

  public let subject: Subject
  public let text: String

  public init(_ subject: Subject, _ text: String) {
    self.subject = subject
    self.text = text
  }
}

/// A meaning, and when it was said: microseconds since the beginning of its run.
public struct TimedMeaning: Hashable, Sendable {
  public let at: Int64
  public let meaning: Meaning

  public init(at: Int64, _ meaning: Meaning) {
    self.at = at
    self.meaning = meaning
  }
}
