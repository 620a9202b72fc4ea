/// One stage of two runs.
public struct StageComparison: Equatable, Sendable {
  public let stage: LatencyStage
  public let verdict: Comparison.Verdict
}
