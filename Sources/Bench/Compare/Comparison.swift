/// Compares two runs stage by stage: the new one is better, worse, or it is noise.
///
/// Holm's correction keeps all tested stages together at ``level``, or at ``levelOfPairs`` for runs
/// side by side. A sum is better or worse only where one of its stages has the same verdict.
public struct Comparison: Sendable {
  /// `noise`: the change is too small to count, or chance may explain it.
  public enum Verdict: String, Codable, Sendable { case better, worse, noise }

  /// Chance shows better or worse in at most this share of comparisons of equal runs.
  public static let level = 0.05
  /// The same for runs side by side. It is stricter, as pairs show smaller changes than are looked
  /// for.
  public static let levelOfPairs = 0.01
  /// The fewest pairs of blocks. After Holm's correction ten pairs can show nothing, and eleven
  /// only a change in which all of them agree.
  public static let pairsAtLeast = 12

  /// The earlier run.
  public let old: BenchResult
  /// The run that is judged.
  public let new: BenchResult
  /// The figures of ``old``.
  public let oldSummary: BenchSummary
  /// The figures of ``new``.
  public let newSummary: BenchSummary
  /// Every stage that both runs have in enough blocks, in order, then every sum.
  public let stages: [StageComparison]
  /// Differences between the machines or the runs that may move figures by themselves.
  public let warnings: [String]
  /// How many pairs of blocks ran at the same time; nil for runs one after the other.
  public let pairs: Int?

  /// If `isSideBySide`, blocks of the same number ran at the same time.
  /// - Throws: for runs that differ in format, kind of device, build or rate, whose presses were
  ///   late, or that have no stage in enough blocks.
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

  /// Worse if any stage is worse; else better if any is.
  public var verdict: Verdict {
    if stages.contains(where: { $0.verdict == .worse }) { return .worse }
    return stages.contains { $0.verdict == .better } ? .better : .noise
  }

  /// The stages, without sums, that have this verdict.
  public func stages(_ verdict: Verdict) -> [LatencyStage] {
    stages.map { ($0.stage, $0.verdict) }
      .filter { $0.1 == verdict && LatencyStage.single.contains($0.0) }.map(\.0)
  }

  /// Nil where the stage was not compared, as it is in too few blocks.
  public subscript(stage: LatencyStage) -> StageComparison? { stages.first { $0.stage == stage } }
}

/// Why two runs cannot be compared, and a hint.
public struct ComparisonRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The difference, and a hint how to avoid it.
  public let reason: String

  public var description: String { "these runs cannot be compared: \(reason)" }

  init(reason: String) { self.reason = reason }

  /// Nil for runs that can be compared.
  init?(old: BenchResult, new: BenchResult) {
    func differs(_ what: String, _ old: String, _ new: String, _ channel: String) -> String {
      "\(what) \(old), then \(new); \(channel)"
    }
    let (before, after) = (Self.kind(of: old.device), Self.kind(of: new.device))
    if old.format != new.format {
      reason = differs("the format is", "\(old.format)", "\(new.format)", "run the old one again")
    } else if before != after {
      reason = differs("the device is", before, after, "measure one kind of device")
    } else if old.environment.build != new.environment.build {
      reason = differs(
        "the build is", old.environment.build, new.environment.build, "build both alike")
    } else if old.rate != new.rate {
      reason = differs(
        "the rate is", Self.text(old.rate), Self.text(new.rate), "give both the same --rate")
    } else if let late = [("old", old), ("new", new)].first(where: { Self.isLate($0.1) }) {
      reason = "the \(late.0) one's presses came too late for its own limit; measure it again"
    } else {
      return nil
    }
  }

  /// The part before the colon, `pty` of `pty:/dev/pts/3`: the path makes no other kind.
  private static func kind(of device: String) -> String {
    String(device.prefix { $0 != ":" })
  }

  private static func text(_ rate: Double?) -> String {
    rate.map { "\(FigureText.decimal($0, digits: 1)) a second" } ?? "by hand"
  }

  private static func isLate(_ result: BenchResult) -> Bool {
    result.pacing.map { $0.p99 > $0.limit } ?? false
  }
}

/// Finds differences between two runs that may move figures by themselves.
enum ComparisonWarnings {
  /// A floor that moves by more than this factor gives a warning.
  private static let floorMoves = 1.5

  static func all(
    old: (result: BenchResult, summary: BenchSummary),
    new: (result: BenchResult, summary: BenchSummary)
  ) -> [String] {
    let (before, after) = (old.result.environment, new.result.environment)
    var warnings: [String] = []
    func compare(_ what: String, _ old: String, _ new: String) {
      if old != new { warnings.append("\(what): \(old), then \(new)") }
    }
    compare("kernel", before.kernel, after.kernel)
    compare("processor", before.processor, after.processor)
    compare("processors", "\(before.processors)", "\(after.processors)")
    compare("governor", before.governor ?? "unknown", after.governor ?? "unknown")
    compare("options", list(before.options), list(after.options))
    for (name, result) in [("old", old.result), ("new", new.result)] {
      let processors = Double(max(1, result.environment.processors))
      let load = max(result.environment.loadBefore, result.environment.loadAfter)
      if load > processors {
        warnings.append("the \(name) run shared its machine: load \(text(load, 2))")
      }
      if result.lost > 0 {
        warnings.append("the \(name) run lost \(FigureText.count(result.lost, "press", "presses"))")
      }
      if result.unseen > 0 {
        warnings.append(
          "the \(name) run has no stamps of \(FigureText.count(result.unseen, "press", "presses"))")
      }
    }
    for (what, old, new) in [
      ("the pty's floor", old.summary.floor?.median, new.summary.floor?.median),
      ("the disk's flush", old.summary.flush?.median, new.summary.flush?.median),
    ] {
      guard let old, let new, old > 0, new > 0, max(old / new, new / old) > floorMoves else {
        continue
      }
      warnings.append(
        "\(what) went from \(text(old, 1)) to \(text(new, 1)) µs: the machine was in another state,"
          + " and small changes cannot be told")
    }
    return warnings
  }

  private static func list(_ options: [String]) -> String {
    options.isEmpty ? "none" : options.joined(separator: ", ")
  }

  private static func text(_ value: Double, _ digits: Int) -> String {
    FigureText.decimal(value, digits: digits)
  }
}

extension Comparison {
  /// For a terminal: the stages as a table, then the verdict.
  public var lines: [String] {
    let head = Self.line(["", "old µs", "new µs", "change", "counts from", "p", ""])
    let rows = stages.map { stage in
      Self.line([
        stage.stage.name, FigureText.microseconds(stage.old), FigureText.microseconds(stage.new),
        Self.signed(stage.change), FigureText.microseconds(stage.smallest),
        Self.probability(stage.probability), stage.verdict.rawValue,
      ])
    }
    return ["compared with \(other)", head] + rows
      + warnings.map { "warning: \($0)" } + sentences
  }

  /// Names the run that the new one is compared with.
  var other: String {
    if let pairs { return "the earlier program, side by side in \(pairs) parts" }
    return old.began.isEmpty ? "an earlier run" : "the run of \(old.began)"
  }

  /// The verdict in words, a sentence for each stage that moved.
  public var sentences: [String] {
    let moved = stages.filter {
      $0.verdict != .noise && LatencyStage.single.contains($0.stage)
    }
    guard !moved.isEmpty else {
      return ["noise: no stage moved by what counts and more than chance moves it"]
    }
    return moved.map(Self.sentence)
  }

  private static func sentence(_ stage: StageComparison) -> String {
    var text =
      "\(stage.stage.name) is \(stage.verdict): \(FigureText.microseconds(stage.old)) →"
      + " \(FigureText.microseconds(stage.new)) µs"
    if let old = stage.oldToFloor, let new = stage.newToFloor {
      text +=
        " (\(FigureText.decimal(old, digits: 2)) → \(FigureText.decimal(new, digits: 2)) × floor)"
    }
    return text
      + ", \(signed(stage.change)) µs, p \(probability(stage.probability)); from"
      + " \(FigureText.microseconds(stage.smallest)) µs on it counts"
  }

  private static func signed(_ change: Double) -> String {
    (change > 0 ? "+" : "") + FigureText.microseconds(change)
  }

  static func probability(_ value: Double) -> String {
    if value < 0.0001 { return "< 0.0001" }
    return FigureText.plain(value, digits: value < 0.01 ? 4 : 2)
  }

  private static func line(_ cells: [String]) -> String {
    let text =
      FigureText.left(cells[0], 19)
      + zip(cells[1...], [9, 9, 9, 12, 9]).map { " " + FigureText.right($0, $1) }.joined() + "  "
      + cells[cells.count - 1]
    return text
  }
}

/// One stage of two runs: how far it moved, and whether that counts.
///
/// It counts if the change is large enough (``StageEvidence``), and if chance would show such a
/// change in a smaller share of comparisons than ``Comparison``'s level.
public struct StageComparison: Equatable, Sendable {
  /// A stage, or a sum of stages.
  public let stage: LatencyStage
  /// Stays `noise` where the change does not count.
  public internal(set) var verdict = Comparison.Verdict.noise
  /// The median over all presses of the old run, µs.
  public let old: Double
  /// The median over all presses of the new run, µs.
  public let new: Double
  /// The old median divided by the floor's median of its run; nil where no floor was measured.
  public let oldToFloor: Double?
  /// The same for the new run.
  public let newToFloor: Double?
  /// How far the stage moved by the evidence, µs; above zero is slower. Zero where the direction is
  /// not clear.
  public let change: Double
  /// The smallest change that counts for this stage, µs.
  public let smallest: Double
  /// Two-sided, and corrected for the number of stages that were tested.
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
