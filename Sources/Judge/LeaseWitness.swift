import FobBase

/// Until when a keychain's light may repeat what hosts have said. The line cannot be seen. So it
/// may as long as a host runs that last said so to it, and one lease longer.
struct LeaseWitness: Sendable {
  let lease: Interval
  /// Nothing that a host says reaches it now; it arrives when the cut is over.
  private var isCutOff = false
  private var isSaid = false
  private var wasSaidMeanwhile = false
  private var isClaimed = false
  private var lastClaimedAt = Instant.longAgo
  private var isTold = true

  init(_ lease: Interval) { self.lease = lease }

  /// - Parameter isSaid: some host tells the keychain that help is coming.
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

  /// When the light must be checked; nil: no lease is running out.
  var ends: Instant? { isClaimed || isTold ? nil : lastClaimedAt + lease }

  /// - Returns: true once, when `ends` has passed.
  mutating func takeEnd(at now: Instant) -> Bool {
    guard let ends, ends < now else { return false }
    isTold = true
    return true
  }
}
