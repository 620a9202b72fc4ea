import FobBase

/// What is remembered of one series.
extension CheckInWitness {
  /// One series: every plan that may be in force, and what is owed by it.
  struct Series: Sendable {
    /// The one on the disk and the one before it, then those that were asked for since.
    var plans: [SeriesPlan]
    /// On the disk; nil: not yet, or it was removed.
    var stored: SeriesPlan?
    /// Everything that falls due later, µs since 1970, is owed; what fell due until then has a row.
    var owedFrom: Int64
    /// The same before the zone changed, and since when that may count: a core that had not looked
    /// asks by the zones before what had fallen due, and one that is killed before the change is on
    /// its disk asks so by the new zone.
    var before: (owedFrom: Int64, since: Instant)?
    /// When the plan was asked for; nil: the wall clock has gone back since.
    var since: Asking?

    /// What was owed before the zone changed, while that may count.
    func recentBefore(at now: Instant) -> Int64? {
      before.flatMap { now - $0.since <= CheckInWitness.longestWait ? $0.owedFrom : nil }
    }
  }

  /// A moment, by true time and by the wall clock.
  struct Asking: Sendable {
    let at: Instant
    let wall: Int64
    /// It was asked before, and is asked again.
    var isAnew = false
  }
}
