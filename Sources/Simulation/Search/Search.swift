/// Hands out seeds to whoever plays them, and puts what came of them back in the order of the
/// seeds. It ends with the lowest seed whose world breaks a rule: what it has counted is the same
/// however many play and whoever is faster.
public struct Search: Sendable {
  /// Seeds that are handed out together.
  public static let batch: UInt64 = 8

  private let seeds: ClosedRange<UInt64>
  /// The first seed not handed out; nil when there is none.
  private var next: UInt64?
  /// The first seed not counted; nil when all are.
  private var uncounted: UInt64?
  /// What was played before the seeds below it.
  private var early: [UInt64: (last: UInt64, summary: SearchSummary)] = [:]
  /// Of all seeds up to the first that is still played.
  public private(set) var summary: SearchSummary

  public init(seeds: ClosedRange<UInt64>, keepsHashes: Bool = false) {
    self.seeds = seeds
    next = seeds.lowerBound
    uncounted = seeds.lowerBound
    summary = SearchSummary(keepsHashes: keepsHashes)
  }

  /// No seed is handed out any more; what is being played still counts.
  public mutating func stop() { next = nil }

  /// Seeds to play; nil: it is over.
  public mutating func take() -> ClosedRange<UInt64>? {
    guard let first = next else { return nil }
    let isLast = seeds.upperBound - first < Self.batch
    let last = isLast ? seeds.upperBound : first + Self.batch - 1
    next = isLast ? nil : last + 1
    return first...last
  }

  /// What came of seeds that were taken.
  public mutating func put(_ played: SearchSummary, of taken: ClosedRange<UInt64>) {
    if played.found != nil { stop() }
    early[taken.lowerBound] = (taken.upperBound, played)
    while summary.found == nil, let first = uncounted,
      let (last, played) = early.removeValue(forKey: first)
    {
      summary.add(played)
      uncounted = last < seeds.upperBound ? last + 1 : nil
    }
  }
}
