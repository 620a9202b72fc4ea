/// Two runs, stage by stage: is the new one better, worse, or is it noise?
///
/// Stages are tested, and Holm's correction keeps all of them together at ``level``, or
/// side by side at ``levelOfPairs``. A sum is better or worse only where a stage that is part of it
/// says why.
public struct Comparison: Sendable {
  public enum Verdict: String, Codable, Sendable { case better, worse, noise }

  /// Chance may say better or worse of two runs that differ in nothing in at most this share.
  public static let level = 0.05
  /// The same of runs side by side, which show more than is looked for at a stricter one.
  public static let levelOfPairs = 0.01
  /// Of ten blocks side by side none can show anything after Holm's correction, of eleven only
  /// those that all agree.
  public static let pairsAtLeast = 12

  public let old: BenchResult
  public let new: BenchResult
  public let oldSummary: BenchSummary
  public let newSummary: BenchSummary
  /// Every stage that both runs have in enough blocks, in order, then every sum.
  public let stages: [StageComparison]
  /// What differs between the two machines or runs and may move figures by itself.
  public let warnings: [String]
  /// How many blocks of one run went on at the same time as one of the other; nil of runs one after
  /// the other.
  public let pairs: Int?

  /// Refuses runs that cannot be compared.
  /// - Parameter isSideBySide: blocks of one number went on at the same time.
  public init(
    old: BenchResult, new: BenchResult, isSideBySide: Bool = false
  ) throws(ComparisonRefusal) {
    if let refusal = ComparisonRefusal(old: old, new: new) { throw refusal }
    (self.old, self.new) = (old, new)
    pairs = isSideBySide ? min(old.blocks.count, new.blocks.count) : nil
    let (before, after) = (BenchSummary(old), BenchSummary(new))
    (oldSummary, newSummary) = (before, after)
    func evidence(of stage: LatencyStage, _ median: Double) -> StageEvidence? {
      if isSideBySide { return StageEvidence(stage, pairing: old, new, median: median) }
      let groups = (StageGroups(stage, of: old), StageGroups(stage, of: new))
      guard min(groups.0.groups.count, groups.1.groups.count) >= StageGroups.atLeast else {
        return nil
      }
      return StageEvidence(stage, groups.0, groups.1, median: median)
    }
    func compare(_ stages: [LatencyStage]) -> [StageComparison] {
      var compared = stages.compactMap { stage -> StageComparison? in
        guard let old = before[stage], let new = after[stage] else { return nil }
        return evidence(of: stage, old.plain.median).map { StageComparison(old, new, $0) }
      }
      let corrected = RankTest.holm(compared.map(\.probability))
      for index in compared.indices {
        compared[index].judge(
          corrected: corrected[index], level: isSideBySide ? Self.levelOfPairs : Self.level)
      }
      return compared
    }
    let parts = compare(LatencyStage.single)
    guard !parts.isEmpty else {
      let enough = isSideBySide ? Self.pairsAtLeast : StageGroups.atLeast
      throw ComparisonRefusal(
        reason: "no stage is in \(enough) blocks of both; let them run longer")
    }
    var sums = compare(LatencyStage.sums)
    for index in sums.indices {
      let own = Set(sums[index].stage.parts)
      let isExplained = parts.contains {
        own.contains($0.stage) && $0.verdict == sums[index].verdict
      }
      if !isExplained { sums[index].verdict = .noise }
    }
    stages = parts + sums
    warnings = ComparisonWarnings.all(old: (old, before), new: (new, after))
  }

  /// Worse where any stage is; else better where any is.
  public var verdict: Verdict {
    if stages.contains(where: { $0.verdict == .worse }) { return .worse }
    return stages.contains { $0.verdict == .better } ? .better : .noise
  }

  /// The stages, without sums, of a verdict.
  public func stages(_ verdict: Verdict) -> [LatencyStage] {
    stages.map { ($0.stage, $0.verdict) }
      .filter { $0.1 == verdict && LatencyStage.single.contains($0.0) }.map(\.0)
  }

  public subscript(stage: LatencyStage) -> StageComparison? { stages.first { $0.stage == stage } }
}
