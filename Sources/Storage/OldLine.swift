import AlertCore

/// The facts of a line that a version before schema 4 wrote, by the sentence that it wrote for
/// people: the one reader of such sentences. Of changes of state and of messages alone, since
/// nobody asks for the facts of other old lines.
enum OldLine {
  static func facts(_ name: String, _ detail: String?) -> Facts? {
    guard let detail, let name = Happening.Name(rawValue: name) else { return nil }
    let reason: Reason? =
      switch name {
      case .stateChanged: transition(detail).map { .became($0) }
      case .notified, .delivered, .deliveryFailed:
        message(detail, firstAttempt: 1).map { .message($0) }
      // Nobody may have tried to send it yet.
      case .withdrawn: message(detail, firstAttempt: nil).map { .message($0) }
      default: nil
      }
    // Taken only where it says that very sentence.
    return reason.map { Facts($0) }.flatMap { $0.words == detail ? $0 : nil }
  }

  /// As in "EMERGENCY_SENDING → EMERGENCY_SENT".
  private static func transition(_ detail: String) -> Transition? {
    let states = detail.split(separator: " → ").map { EmergencyState(rawValue: String($0)) }
    guard states.count == 2, let from = states[0], let to = states[1] else { return nil }
    return Transition(from: from, to: to)
  }

  /// As in "raise 1, attempt 2: refused", where the attempt is left out of the first.
  private static func message(_ detail: String, firstAttempt: Int?) -> Reason.Message? {
    let parts = detail.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
    let head = parts[0].split(separator: ", attempt ", omittingEmptySubsequences: false)
    let words = head[0].split(separator: " ")
    guard words.count == 2, let kind = Notification.Kind(rawValue: String(words[0])),
      let sequence = Int(words[1])
    else { return nil }
    return Reason.Message(
      kind: kind, sequence: sequence, attempt: head.count > 1 ? Int(head[1]) : firstAttempt,
      error: parts.count > 1 ? String(parts[1]) : nil)
  }
}
