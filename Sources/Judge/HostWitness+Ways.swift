import FobBase

/// A notification channel that is to be tried, since the one before it has refused.
struct PendingChannel: Sendable {
  let message: Message
  let way: Int
  let at: Instant
}

/// Each of a contact's notification channels is tried at once after the one before has refused: one
/// that fails keeps a message from no other.
extension HostWitness {
  /// - Parameter last: what had been handed out last to that contact of that incident.
  mutating func oweNextWay(
    of message: Message, after last: ContactRecord.Handed?, at now: Instant
  ) {
    guard message.way + 1 < rules.ways, let last, last.message == message, last.outcome == .waits,
      last.run == run, sureContacts?.contains(message.contact) ?? true
    else { return }
    // Of an alarm that is over all but the end is withdrawn, and that waits for the next one's.
    guard message.kind == .closing ? !isTold : isOpen(message.incident) else { return }
    owedWays[message.key] = PendingChannel(message: message, way: message.way + 1, at: now)
  }

  mutating func payOwedWay(
    with message: Message, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard !owedWays.isEmpty else { return }
    if let owed = owedWays.removeValue(forKey: message.key), owed.way != message.way {
      violationLog.accuse(
        .wayForgotten, at: now,
        "host \(index + 1) handed out \(message.text) to way \(message.way + 1),"
          + " not \(owed.way + 1)")
    }
    // What is newer makes it pointless.
    owedWays = owedWays.filter {
      $0.value.message.contact != message.contact || $0.value.message.incident != message.incident
        || $0.value.message.sequence > message.sequence
    }
  }

  /// An alarm begins or ends: what waits of others is held back, or taken back.
  mutating func forgetOwedWays() { owedWays = [:] }

  var owedWaysDeadline: Instant? {
    owedWays.isEmpty ? nil : owedWays.values.map { $0.at + Rules.atOnce }.min()
  }
}
