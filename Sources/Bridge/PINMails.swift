import FobBase

/// How often a new PIN may be mailed (R10): three times an hour.
struct PINMails: Sendable {
  private static let most = 3
  private var sent: [Instant] = []

  mutating func take(at now: Instant) -> Bool {
    sent.removeAll { $0 + .minutes(60) <= now }
    guard sent.count < Self.most else { return false }
    sent.append(now)
    return true
  }
}
