/// The evidence of two runs for one stage: how far it moved, and whether that is enough to count.
struct StageEvidence {
  /// µs; above zero is slower. Zero where the direction is not clear.
  let change: Double
  /// The smallest change that counts, µs.
  let smallest: Double
  /// The two-sided probability, not corrected for other stages.
  let probability: Double
  let isLargeEnough: Bool
}

// MARK: Run after run

extension StageEvidence {
  /// The smallest change that counts, µs: `minMicroseconds`, or `minShare` of the stage's median up
  /// to `maxMinShare` if that is more.
  static let minMicroseconds = 8.0
  static let minShare = 0.04
  static let maxMinShare = 50.0

  /// Evidence of runs one after the other. A change counts if every ``Normalization`` moves the
  /// stage the same way, if the middle of them reaches the smallest effect and none is below half
  /// of it, and if by each of them chance would give such ranks to few pairs of runs.
  ///
  /// - Parameter median: of the old run, µs.
  init(_ stage: LatencyStage, _ old: StageGroups, _ new: StageGroups, median: Double) {
    let views = Normalization.allCases.compactMap { normalization in
      normalization.values(stage, old, new).map(View.init)
    }
    let shifts = views.map(\.shift)
    let (least, most) = (shifts.min() ?? 0, shifts.max() ?? 0)
    let agrees = least > 0 || most < 0
    change = agrees ? (least + most) / 2 : 0
    let share = min(Self.maxMinShare, Self.minShare * abs(median))
    smallest = max(Self.minMicroseconds, share, views.map(\.wander).min() ?? 0)
    probability = agrees ? min(1, 2 * (views.map(\.probability).max() ?? 1)) : 1
    isLargeEnough =
      agrees && abs(change) >= smallest && min(abs(least), abs(most)) >= smallest / 2
  }

  /// The stage in both runs, by one normalization.
  private struct View {
    let shift: Double
    /// How far a run drifts by itself: two runs may be that far apart without a reason.
    let wander: Double
    private let values: (old: [Double], new: [Double])

    init(_ values: (old: [Double], new: [Double])) {
      self.values = values
      shift = RankTest.shift(from: values.old, to: values.new)
      wander = max(Self.wander(values.old), Self.wander(values.new))
    }

    /// The one-sided probability, in the direction of the shift.
    var probability: Double {
      shift > 0
        ? RankTest.probability(values.new, above: values.old)
        : RankTest.probability(values.old, above: values.new)
    }

    /// How far the thirds of a run are apart.
    private static func wander(_ values: [Double]) -> Double {
      let thirds = (0..<3).map { third in
        RankTest.median(
          Array(values[third * values.count / 3..<(third + 1) * values.count / 3]))
      }
      return (thirds.max() ?? 0) - (thirds.min() ?? 0)
    }
  }
}

// MARK: Side by side

extension StageEvidence {
  /// The same for pairs. The machine disturbs both runs at once, so smaller changes can be told.
  static let minMicrosecondsOfPairs = 5.0
  static let minShareOfPairs = 0.01
  static let maxMinShareOfPairs = 10.0

  /// Evidence of two runs whose blocks of the same number ran at the same time. A change counts if
  /// it reaches the smallest effect, and if chance would give such signs to few pairs of runs.
  ///
  /// Nil where too few pairs have the stage.
  /// - Parameter median: of the old run, µs.
  init?(
    _ stage: LatencyStage, pairing old: BenchResult, _ new: BenchResult, median: Double
  ) {
    func usual(_ block: BenchResult.Block) -> Double? {
      StageGroups.usual(block.samples.compactMap { $0.duration(of: stage).map(Double.init) })
    }
    let rises = zip(old.blocks, new.blocks).compactMap { before, after -> Double? in
      guard let before = usual(before), let after = usual(after) else { return nil }
      return after - before
    }
    guard rises.count >= Comparison.pairsAtLeast else { return nil }
    change = RankTest.shift(of: rises)
    smallest = max(
      Self.minMicrosecondsOfPairs,
      min(Self.maxMinShareOfPairs, Self.minShareOfPairs * abs(median)))
    let moved = change > 0 ? rises : rises.map { -$0 }
    probability = min(1, 2 * RankTest.probability(ofRises: moved))
    isLargeEnough = abs(change) >= smallest
  }
}

/// A measure for a stage, so that a machine in another state is not taken for another program.
///
/// A stage holds some wake-ups of a thread, and each costs as much as the floor: 15 µs on a busy
/// machine, 90 on an idle one. Their number is not known, so a change counts only if it stands at
/// both extremes: with no part of the stage moving with the floor, and with as much as may.
enum Normalization: CaseIterable {
  /// Leaves the stage as measured.
  case microseconds
  /// Brings the part of the stage that may be floor to the average floor of both runs. For a stage
  /// of up to one and a half floors that is all of it: the ratio to the floor.
  case floor
  /// The same with the disk's own flush; a durable commit holds one or two.
  case flush

  /// The most floors that a stage holds, and the most flushes.
  private static let floors = 1.5
  private static let flushes = 2.0

  /// Both runs by this measure, µs; nil where it was not measured or does not apply to the stage.
  func values(
    _ stage: LatencyStage, _ old: StageGroups, _ new: StageGroups
  ) -> (old: [Double], new: [Double])? {
    switch self {
    case .microseconds: return (old.groups.map(\.stage), new.groups.map(\.stage))
    case .floor: return scaled(old, new, share: Self.floors, by: \.floor)
    case .flush:
      guard stage.parts.contains(.durable) || stage == .durableWork else { return nil }
      return scaled(old, new, share: Self.flushes, by: \.flush)
    }
  }

  private func scaled(
    _ old: StageGroups, _ new: StageGroups, share: Double,
    by measure: KeyPath<StageGroups.Group, Double?>
  ) -> (old: [Double], new: [Double])? {
    let (before, after) = (
      old.groups.compactMap { $0[keyPath: measure] }, new.groups.compactMap { $0[keyPath: measure] }
    )
    guard before.count == old.groups.count, after.count == new.groups.count,
      (before + after).allSatisfy({ $0 > 0 })
    else { return nil }
    // One floor for each run: on a busy machine the floor of one second disturbs more than it says
    // about that second's presses.
    let (first, second) = (RankTest.median(before), RankTest.median(after))
    func bring(_ groups: StageGroups, _ measured: Double) -> [Double] {
      groups.groups.map { group in
        let moving = min(group.stage, share * measured)
        return group.stage - moving + moving * (first + second) / 2 / measured
      }
    }
    return (bring(old, first), bring(new, second))
  }
}
