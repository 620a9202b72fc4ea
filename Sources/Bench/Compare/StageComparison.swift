/// One stage of two runs: how far it moved, and whether that counts.
///
/// It counts where by every ``Yardstick`` it moved by the smallest effect or more, and where half
/// of that effect, taken away, still leaves ranks that chance gives in less than
/// ``Comparison/level`` of all runs.
public struct StageComparison: Equatable, Sendable {
  public let stage: LatencyStage
  public internal(set) var verdict = Comparison.Verdict.noise
  /// Medians over all presses, µs.
  public let old: Double
  public let new: Double
  /// The same to the floor's median of its own run; nil where no floor was measured.
  public let oldToFloor: Double?
  public let newToFloor: Double?
  /// By the yardstick that shows least, µs; above zero is slower. Zero where they disagree.
  public let change: Double
  /// What counts here at least, µs.
  public let smallest: Double
  /// Two-sided; corrected for as many stages as were tested.
  public internal(set) var probability: Double
  /// Whether every yardstick shows the smallest effect.
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
    let share = min(Self.leastShareAtMost, Self.leastShare * abs(before.plain.median))
    let views = Yardstick.allCases.compactMap { yardstick in
      yardstick.values(stage, groups.0, groups.1).map {
        View($0, smallest: max(Self.leastMicroseconds, share))
      }
    }
    let isSlower = views.allSatisfy { $0.shift > 0 }
    let isFaster = views.allSatisfy { $0.shift < 0 }
    let least = views.min { abs($0.shift) < abs($1.shift) }?.shift ?? 0
    change = isSlower || isFaster ? least : 0
    smallest = views.map(\.smallest).max() ?? 0
    probability = isSlower || isFaster ? min(1, 2 * (views.map(\.probability).max() ?? 1)) : 1
    isLargeEnough =
      (isSlower || isFaster) && views.allSatisfy { abs($0.shift) >= $0.smallest }
  }

  mutating func judge(corrected: Double) {
    probability = corrected
    guard isLargeEnough, corrected < Comparison.level else { return }
    verdict = change > 0 ? .worse : .better
  }

  /// By one yardstick.
  private struct View {
    let shift: Double
    let smallest: Double
    let probability: Double

    init(_ values: (old: [Double], new: [Double]), smallest: Double) {
      shift = RankTest.shift(from: values.old, to: values.new)
      // A run that wanders by itself says how far two runs may be apart without a reason.
      self.smallest = max(smallest, Self.wander(values.old), Self.wander(values.new))
      let taken = self.smallest / 2
      probability =
        shift > 0
        ? RankTest.probability(values.new.map { $0 - taken }, above: values.old)
        : RankTest.probability(values.old, above: values.new.map { $0 + taken })
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
