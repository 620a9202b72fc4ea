import FobBase

/// Until when a keychain's light may show what hosts have said. The line cannot be seen: so as long
/// as a host runs that said so to it last, and a lease after the last of them.
struct LeaseWitness: Sendable {
  let lease: Interval
  /// Nothing that a host says comes to it now; what is said meanwhile comes when that is over.
  private var isCutOff = false
  private var isSaid = false
  private var wasSaidMeanwhile = false
  private var isClaimed = false
  private var lastClaimedAt = Instant.longAgo
  private var isTold = true

  init(_ keychain: Int, _ rules: Rules) { lease = rules.lease(of: keychain) }

  /// - Parameter isSaid: by any host.
  mutating func weigh(isSaid new: Bool, at now: Instant) {
    isSaid = new
    weigh(at: now)
  }

  mutating func cutOff(_ new: Bool, at now: Instant) {
    isCutOff = new
    isClaimed = isClaimed || wasSaidMeanwhile && !new
    weigh(at: now)
  }

  private mutating func weigh(at now: Instant) {
    wasSaidMeanwhile = isCutOff && (wasSaidMeanwhile || isSaid)
    let isStill = isSaid && !isCutOff
    if isClaimed, !isStill {
      lastClaimedAt = now
      isTold = false
    }
    isClaimed = isStill
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
