import FobBase

/// The zones that were handed in to one host.
struct ZoneRecord: Sendable {
  /// The last one; nil: none yet.
  private(set) var last: Zone?
  /// Those before it, in their order, with the times when each ended.
  private var earlier: [(zone: Zone, until: Instant)] = []

  mutating func handIn(_ zone: Zone, at now: Instant) {
    if let last { earlier.append((last, now)) }
    last = zone
  }

  /// Those that a decision of now may have gone by: the last two, and all within which it may have
  /// begun to wait for the disk.
  func recent(at now: Instant) -> [Zone] {
    let waited = earlier.count { now - $0.until <= CheckInWitness.longestWait }
    return earlier.suffix(max(1, waited)).map(\.zone) + (last.map { [$0] } ?? [])
  }
}
