import AlertCore

/// Reads the facts of entries that versions before schema 4 wrote, out of their sentences for
/// people. It knows changes of state and messages; nobody asks for the facts of other old entries.
enum LegacySentence {
  static func facts(_ name: String, _ detail: String?) -> Facts? {
    guard let detail, let name = AuditEvent.Name(rawValue: name) else { return nil }
    let reason: Reason? =
      switch name {
      case .stateChanged: transition(detail).map { .became($0) }
      case .notified, .delivered, .deliveryFailed:
        message(detail, firstAttempt: 1).map { .message($0) }
      // A message may be withdrawn before the first attempt to send it.
      case .withdrawn: message(detail, firstAttempt: nil).map { .message($0) }
      default: nil
      }
    // Facts count only if they give exactly that sentence again.
    return reason.map { Facts($0) }.flatMap { $0.words == detail ? $0 : nil }
  }

  /// As in "EMERGENCY_SENDING → EMERGENCY_SENT".
  private static func transition(_ detail: String) -> Transition? {
    let words = detail.split(separator: " ")
    guard words.count == 3, let from = EmergencyState(rawValue: String(words[0])),
      let to = EmergencyState(rawValue: String(words[2]))
    else { return nil }
    return Transition(from: from, to: to)
  }

  /// As in "raise 1, attempt 2: refused"; the first attempt is not numbered.
  private static func message(_ detail: String, firstAttempt: Int?) -> Reason.Message? {
    let words = detail.split(separator: " ", maxSplits: 4)
    guard words.count > 1, let kind = Notification.Kind(rawValue: String(words[0])),
      let sequence = number(words[1])
    else { return nil }
    let isAgain = words[1].utf8.last == UInt8(ascii: ",") && words.count > 3
    let colon = detail.firstIndex(of: ":")
    return Reason.Message(
      kind: kind, sequence: sequence, attempt: isAgain ? number(words[3]) : firstAttempt,
      error: colon.map { String(detail[$0...].dropFirst(2)) })
  }

  /// The number at the beginning of a word.
  private static func number(_ word: Substring) -> Int? {
    Int(word.prefix { ("0"..."9").contains($0) })
  }
}
