/// What differs between two runs and may move figures by itself.
enum ComparisonWarnings {
  /// The floor may move by this factor before it is said.
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
