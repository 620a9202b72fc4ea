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

  /// What the new run is held against.
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
