import FobBase
import WireProtocol

/// Why something happened, as the core has it; in words when somebody reads it.
enum Reason: Sendable {
  case words(String)
  case event(EventFacts)
  case became(Transition)
  /// Boxed, since it is by far the largest and no press waits for it.
  indirect case message(MessageFacts)

  /// What an event says of itself, and what it means.
  struct EventFacts: Sendable {
    let rawKind: UInt8
    let flags: EventRecord.Flags
    let covered: UInt16
    let meaning: PressDetector.Meaning
  }

  /// What became of a message to one contact.
  struct MessageFacts: Sendable {
    let kind: Notification.Kind
    let sequence: Int
    let attempts: Int
    /// The name of the way out that took it or refused it.
    let sink: String?
    let error: String?
    /// When it is tried next, µs since 1970.
    let nextWall: Int64?
  }

  var words: String {
    switch self {
    case .words(let words): words
    case .event(let facts): facts.words
    case .became(let transition): "\(transition)"
    case .message(let facts): facts.words
    }
  }

  var message: MessageFacts? { if case .message(let facts) = self { facts } else { nil } }
}

/// What reads the same is the same.
extension Reason: Equatable {
  static func == (a: Reason, b: Reason) -> Bool {
    a.words == b.words && a.message?.sink == b.message?.sink
      && a.message?.nextWall == b.message?.nextWall
  }
}

extension Reason.EventFacts {
  fileprivate var words: String {
    var words = EventKind(rawValue: rawKind).map { "\($0)" } ?? "kind \(rawKind)"
    if flags.contains(.atBoot) { words += ", held at boot" }
    if flags.contains(.replayed) { words += ", replayed" }
    if flags.contains(.merged) { words += ", stands for \(covered)" }
    if flags.contains(.volatile) { words += ", not stored by the device" }
    switch meaning {
    case .alarm: return words + ": alarm"
    case .open: return words + ": not known yet what it means"
    case .acknowledge, .slot, .noted: return words
    }
  }
}

extension Reason.MessageFacts {
  /// As in "raise 1, attempt 2: refused". `Storage` finds the lines of one message by the kind and
  /// number in front.
  fileprivate var words: String {
    "\(kind.rawValue) \(sequence)" + (attempts > 1 ? ", attempt \(attempts)" : "")
      + (error.map { ": \($0)" } ?? "")
  }
}

extension EventRecord {
  /// For the log.
  func facts(_ meaning: PressDetector.Meaning) -> Reason {
    .event(
      Reason.EventFacts(
        rawKind: identity.rawKind, flags: flags, covered: covered, meaning: meaning))
  }
}

extension Notification {
  /// For the log.
  /// - Parameter sink: the way out that took the message or refused it; nil: the attempt's own.
  func facts(_ error: String?, by sink: String? = nil) -> Reason {
    let isTriedAgain = error != nil && delivery == .due
    return .message(
      Reason.MessageFacts(
        kind: kind, sequence: sequence, attempts: attempts, sink: sink ?? way, error: error,
        nextWall: isTriedAgain ? nextAttempt?.wall : nil))
  }
}
