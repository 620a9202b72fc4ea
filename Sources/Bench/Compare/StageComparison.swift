/// One stage of two runs: how far it moved, and whether that counts.
///
/// It counts where every ``Yardstick`` shows it to move the same way, in the middle of them by the
/// smallest effect and by none less than half of it, and where chance would give such ranks to
/// fewer than ``Comparison/level`` of all pairs by any of them.
public struct StageComparison: Equatable, Sendable {
  public let stage: LatencyStage
  public internal(set) var verdict = Comparison.Verdict.noise
  /// Medians over all presses, µs.
  public let old: Double
  public let new: Double
  /// The same to the floor's median of its own run; nil where no floor was measured.
  public let oldToFloor: Double?
  public let newToFloor: Double?
  /// In the middle of what the yardsticks show, µs; above zero is slower. Zero where they disagree.
  public let change: Double
  /// What counts here at least, µs.
  public let smallest: Double
  /// Two-sided; corrected for as many stages as were tested.
  public internal(set) var probability: Double
  /// Whether the yardsticks show the smallest effect.
  let isLargeEnough: Bool

  /// µs that count at least in any stage, and as a share of the stage: up to so many µs.
  public static let leastMicroseconds = 8.0
  public static let leastShare = 0.04
  public static let leastShareAtMost = 50.0

  /// Nil where one of the runs has too few blocks with this stage.
  init?(
    _ stage: LatencyStage, _ old: BenchSummary, _ new: BenchSummary,
    groups: (StageGroups, StageGroups)
  ) {
    guard let before = old[stage], let after = new[stage],
      groups.0.groups.count >= StageGroups.atLeast, groups.1.groups.count >= StageGroups.atLeast
    else { return nil }
    self.stage = stage
    (self.old, self.new) = (before.plain.median, after.plain.median)
    (oldToFloor, newToFloor) = (before.toFloor, after.toFloor)
    let views = Yardstick.allCases.compactMap { yardstick in
      yardstick.values(stage, groups.0, groups.1).map(View.init)
    }
    let shifts = views.map(\.shift)
    let (least, most) = (shifts.min() ?? 0, shifts.max() ?? 0)
    let agrees = least > 0 || most < 0
    change = agrees ? (least + most) / 2 : 0
    let share = min(Self.leastShareAtMost, Self.leastShare * abs(before.plain.median))
    smallest = max(Self.leastMicroseconds, share, views.map(\.wander).min() ?? 0)
    probability = agrees ? min(1, 2 * (views.map(\.probability).max() ?? 1)) : 1
    isLargeEnough =
      agrees && abs(change) >= smallest && min(abs(least), abs(most)) >= smallest / 2
  }

  mutating func judge(corrected: Double) {
    probability = corrected
    guard isLargeEnough, corrected < Comparison.level else { return }
    verdict = change > 0 ? .worse : .better
  }

  /// By one yardstick.
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
