/// One stage of two runs: how far it moved, and whether that counts.
///
/// It counts where the change is large enough (``StageEvidence``), and where chance would show such
/// a one in fewer comparisons than ``Comparison``'s level says.
public struct StageComparison: Equatable, Sendable {
  public let stage: LatencyStage
  public internal(set) var verdict = Comparison.Verdict.noise
  /// Medians over all presses, µs.
  public let old: Double
  public let new: Double
  /// The same to the floor's median of its own run; nil where no floor was measured.
  public let oldToFloor: Double?
  public let newToFloor: Double?
  /// What the evidence shows, µs; above zero is slower. Zero where it cannot be said which way.
  public let change: Double
  /// What counts here at least, µs.
  public let smallest: Double
  /// Two-sided; corrected for as many stages as were tested.
  public internal(set) var probability: Double
  private let isLargeEnough: Bool

  init(_ old: StageFigures, _ new: StageFigures, _ evidence: StageEvidence) {
    stage = old.stage
    (self.old, self.new) = (old.plain.median, new.plain.median)
    (oldToFloor, newToFloor) = (old.toFloor, new.toFloor)
    (change, smallest) = (evidence.change, evidence.smallest)
    (probability, isLargeEnough) = (evidence.probability, evidence.isLargeEnough)
  }

  mutating func judge(corrected: Double, level: Double) {
    probability = corrected
    guard isLargeEnough, corrected < level else { return }
    verdict = change > 0 ? .worse : .better
  }
}
