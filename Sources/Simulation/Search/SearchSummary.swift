public import Judge

/// What came of schedules that were played: sums, and the first violation.
public struct SearchSummary: Sendable {
  public struct Found: Sendable {
    public let seed: UInt64
    public let violation: Violation

    public init(seed: UInt64, violation: Violation) {
      self.seed = seed
      self.violation = violation
    }
  }

  public private(set) var schedules = 0
  public private(set) var excused = 0
  public private(set) var coverage = Coverage()
  /// The trace hash of each schedule, in the order in which they were added.
  public private(set) var hashes: [(seed: UInt64, hash: UInt64)] = []
  /// The sum of all trace hashes: the same for the same seeds, in whatever order they were played.
  public private(set) var hash: UInt64 = 0
  /// The violation that was added first.
  public private(set) var found: Found?
  /// Whole numbers, whose sum is the same in any order.
  private var deviceMicroseconds: Int64 = 0
  private let keepsHashes: Bool

  /// - Parameter keepsHashes: of each schedule, 16 bytes.
  public init(keepsHashes: Bool = false) { self.keepsHashes = keepsHashes }

  /// Plays these seeds, as far as the first violation.
  /// - Parameter begin: is told of each seed before its world begins.
  public init(
    playing seeds: ClosedRange<UInt64>, keepsHashes: Bool = false,
    telling begin: (UInt64) -> Void = { _ in }
  ) {
    self.init(keepsHashes: keepsHashes)
    for seed in seeds {
      begin(seed)
      add(Schedule(seed: seed).play())
      if found != nil { break }
    }
  }

  public var deviceSeconds: Double { Double(deviceMicroseconds) / 1e6 }

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
