/// What two runs show of one stage: how far it moved, and whether that is enough to count.
struct StageEvidence {
  /// µs; above zero is slower. Zero where it cannot be said which way.
  let change: Double
  /// What counts at least, µs.
  let smallest: Double
  /// Two-sided, of this stage alone.
  let probability: Double
  let isLargeEnough: Bool
}

// MARK: Run after run

extension StageEvidence {
  /// µs that count at least in any stage, and as a share of the stage: up to so many µs.
  static let minMicroseconds = 8.0
  static let minShare = 0.04
  static let maxMinShare = 50.0

  /// Of runs one after the other. A change counts where every ``Normalization`` shows the stage to
  /// move the same way, in the middle of them by the smallest effect and by none less than half of
  /// it; and where chance would give such ranks to few pairs by any of them.
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

  /// By one normalization.
  private struct View {
    let shift: Double
    /// A run that wanders by itself says how far two runs may be apart without a reason.
    let wander: Double
    private let values: (old: [Double], new: [Double])

    init(_ values: (old: [Double], new: [Double])) {
      self.values = values
      shift = RankTest.shift(from: values.old, to: values.new)
      wander = max(Self.wander(values.old), Self.wander(values.new))
    }

    /// One-sided, in the direction of the shift.
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
  /// As above, of pairs: what the machine does it does to both, so less of it can be told.
  static let minMicrosecondsOfPairs = 5.0
  static let minShareOfPairs = 0.01
  static let maxMinShareOfPairs = 10.0

  /// Of two runs whose blocks of one number went on at the same time. A change counts by the
  /// smallest effect, and where chance would give such signs to few.
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

/// What a stage is measured by, so that a machine in another state is not taken for another
/// program.
///
/// A stage holds some wake-ups of a thread, and a wake-up costs what the floor costs: 15 µs on a
/// busy machine, 90 on an idle one. How many it holds is not known, so a change counts only where
/// it stands at both ends: with none of the stage moving with the floor, and with as much as may.
enum Normalization: CaseIterable {
  /// As measured.
  case microseconds
  /// What of it may be floor, brought to the floor that both runs had on average: of a stage of
  /// up to one and a half all of it, which is the ratio to the floor.
  case floor
  /// The same with the disk's own flush, of which a durable commit holds one or two.
  case flush

  /// Most floors that a stage holds, and most flushes.
  private static let floors = 1.5
  private static let flushes = 2.0

  /// Both runs by this measure, µs; nil where it was not measured or says nothing of the stage.
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
    // One floor a run: on a busy machine those of a second say less of that second's presses than
    // they disturb.
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
