import FobBase

/// Until when a light may show what hosts have said. The line cannot be seen: so as long as a host
/// runs that has said so in its present run, and a lease after the last of them.
struct LeaseWitness: Sendable {
  private let lease: Interval
  private var isClaimed = false
  private var lastClaimedAt = Instant.longAgo
  private var isTold = true

  init(_ rules: Rules) { lease = rules.lease }

  mutating func weigh(isClaimed new: Bool, at now: Instant) {
    if isClaimed, !new {
      lastClaimedAt = now
      isTold = false
    }
    isClaimed = new
  }

  func isOver(at now: Instant) -> Bool { !isClaimed && lastClaimedAt + lease < now }

  /// When lights are to be looked at.
  var ends: Instant? { isClaimed || isTold ? nil : lastClaimedAt + lease }

  /// - Returns: true once, when that has come.
  mutating func takeEnd(at now: Instant) -> Bool {
    guard let ends, ends < now else { return false }
    isTold = true
    return true
  }
}
