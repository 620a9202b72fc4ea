public import Judge

/// What came of one schedule.
public struct Outcome: Sendable {
  public let schedule: Schedule
  /// The first rules that were broken; empty: nothing was lost.
  public let violations: [Violation]
  /// Excused: what disks and boards had lied about.
  public let excused: Int
  /// Of everything seen and every byte: the same for the same schedule, always.
  public let hash: UInt64
  public let deviceSeconds: Double
  public let coverage: Coverage
  /// In the order in which it was seen; empty unless it was asked for.
  public let journal: [TimedObservation]
}

extension Schedule {
  /// Plays it from the beginning to its end, or to the first violation.
  public func play(keepingJournal: Bool = false) -> Outcome {
    play(sabotagedBy: nil, keepingJournal: keepingJournal)
  }

  func play(sabotagedBy sabotage: (any MutationHook)?, keepingJournal: Bool = false) -> Outcome {
    let world = World(self, sabotage: sabotage, keepsJournal: keepingJournal)
    world.run()
    return Outcome(
      schedule: self, violations: world.judge.violations, excused: world.judge.excused,
      hash: world.hash.value, deviceSeconds: world.deviceSeconds, coverage: world.coverage,
      journal: world.journal)
  }
}
