import FobBase
import WireProtocol

/// Why something happened, as the core has it; in words when somebody reads it.
enum Reason: Sendable {
  case words(String)
  case event(EventFacts)
  case became(EmergencyState, from: EmergencyState)
  case message(Notification.Kind, sequence: Int, attempts: Int, error: String?)

  /// What an event says of itself, and what it means.
  struct EventFacts: Sendable {
    let rawKind: UInt8
    let flags: EventRecord.Flags
    let covered: UInt16
    let meaning: PressDetector.Meaning
  }

  var words: String {
    switch self {
    case .words(let words): words
    case .event(let facts): facts.words
    case .became(let next, let from): "\(from.rawValue) → \(next.rawValue)"
    case .message(let kind, let sequence, let attempts, let error):
      "\(kind.rawValue) \(sequence)" + (attempts > 1 ? ", attempt \(attempts)" : "")
        + (error.map { ": \($0)" } ?? "")
    }
  }
}

/// What reads the same is the same.
extension Reason: Equatable {
  static func == (a: Reason, b: Reason) -> Bool { a.words == b.words }
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
  func facts(_ error: String?) -> Reason {
    .message(kind, sequence: sequence, attempts: attempts, error: error)
  }
}
