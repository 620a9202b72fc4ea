public import Judge

/// Hands out seeds to players, and puts their results back in the order of the seeds. It ends with
/// the lowest seed whose world breaks a rule, so its counts are the same for any number of players
/// and any speed.
public struct Search: Sendable {
  /// How many seeds are handed out together.
  public static let batch: UInt64 = 8

  private let seeds: ClosedRange<UInt64>
  /// The first seed not handed out; nil when there is none.
  private var next: UInt64?
  /// The first seed not counted; nil when all are.
  private var uncounted: UInt64?
  /// Results that came before those of lower seeds.
  private var early: [UInt64: (last: UInt64, summary: SearchSummary)] = [:]
  /// The results of all seeds below the lowest one that is still being played.
  public private(set) var summary: SearchSummary

  /// Nothing is handed out yet. `keepsHashes` keeps 16 bytes of each schedule.
  public init(seeds: ClosedRange<UInt64>, keepsHashes: Bool = false) {
    self.seeds = seeds
    next = seeds.lowerBound
    uncounted = seeds.lowerBound
    summary = SearchSummary(keepsHashes: keepsHashes)
  }

  /// Hands out no more seeds; results of seeds under way still count.
  public mutating func stop() { next = nil }

  /// The next seeds to play; nil: there are no more.
  public mutating func take() -> ClosedRange<UInt64>? {
    guard let first = next else { return nil }
    let isLast = seeds.upperBound - first < Self.batch
    let last = isLast ? seeds.upperBound : first + Self.batch - 1
    next = isLast ? nil : last + 1
    return first...last
  }

  /// Takes the results of seeds that were handed out.
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

/// The results of many schedules: sums, and the first violation.
public struct SearchSummary: Sendable {
  /// A violation, and the seed that leads to it again.
  public struct Found: Sendable {
    /// Means this world at the same commit only: another commit may draw another world from it.
    public let seed: UInt64
    /// The first of its world.
    public let violation: Violation

    /// Made by `add`, and by tests that stand in for a search.
    public init(seed: UInt64, violation: Violation) {
      self.seed = seed
      self.violation = violation
    }
  }

  /// How many worlds were played.
  public private(set) var schedules = 0
  /// Events that disks or boards had said they had, and had not, over all worlds.
  public private(set) var excused = 0
  /// The coverage of all worlds together.
  public private(set) var coverage = Coverage()
  /// The trace hash of each schedule, in the order in which they were added.
  public private(set) var hashes: [(seed: UInt64, hash: UInt64)] = []
  /// The sum of all trace hashes: the same for the same seeds, in whatever order they were played.
  public private(set) var hash: UInt64 = 0
  /// The violation that was added first.
  public private(set) var found: Found?
  /// A whole number, since its sum is the same in any order.
  private(set) var deviceMicroseconds: Int64 = 0
  private let keepsHashes: Bool

  /// - Parameter keepsHashes: of each schedule, 16 bytes.
  public init(keepsHashes: Bool = false) { self.keepsHashes = keepsHashes }

  /// Plays these seeds, as far as the first violation.
  /// - Parameters:
  ///   - seeds: from the lowest on.
  ///   - isAttacked: whether somebody is on the wires of each world.
  ///   - keepsHashes: whether 16 bytes of each schedule are kept.
  ///   - begin: is told of each seed before its world begins.
  public init(
    playing seeds: ClosedRange<UInt64>, isAttacked: Bool = false, keepsHashes: Bool = false,
    telling begin: (UInt64) -> Void = { _ in }
  ) {
    self.init(keepsHashes: keepsHashes)
    for seed in seeds {
      begin(seed)
      add(Schedule(seed: seed, isAttacked: isAttacked).play())
      if found != nil { break }
    }
  }

  /// Virtual seconds, counted once for each keychain.
  public var deviceSeconds: Double { Double(deviceMicroseconds) / 1e6 }

  /// Counts one more world. `found` stays the violation that was added first.
  public mutating func add(_ outcome: Outcome) {
    schedules += 1
    excused += outcome.excused
    deviceMicroseconds += Int64((outcome.deviceSeconds * 1e6).rounded())
    coverage.add(outcome.coverage)
    hash &+= outcome.hash
    if keepsHashes { hashes.append((outcome.schedule.seed, outcome.hash)) }
    if found == nil, let violation = outcome.violations.first {
      found = Found(seed: outcome.schedule.seed, violation: violation)
    }
  }

  /// Counts all worlds of another summary, as played after those of this one.
  public mutating func add(_ other: SearchSummary) {
    schedules += other.schedules
    excused += other.excused
    deviceMicroseconds += other.deviceMicroseconds
    coverage.add(other.coverage)
    hash &+= other.hash
    if keepsHashes { hashes += other.hashes }
    if found == nil { found = other.found }
  }
}
