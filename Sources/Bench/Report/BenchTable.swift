/// The figures of a run as lines for a terminal, 100 columns at most.
struct BenchTable {
  let result: BenchResult
  let summary: BenchSummary

  var lines: [String] {
    [heading, ""] + rows + [""] + notes + BenchWords(result: result, summary: summary).remarks
      + [BenchWords(result: result, summary: summary).meaning]
  }

  var heading: String {
    let words = BenchWords(result: result, summary: summary)
    return "\(words.title); \(words.extent)"
  }

  private static let columns = [
    "presses", "min", "median", "p90", "p99", "p99.9", "max", "mean", "× floor", "± clock",
  ]
  private static let nameWidth = 19

  var rows: [String] {
    var lines = [Self.line("µs", Self.columns)]
    let isSum = Set(LatencyStage.sums)
    var wasSum = false
    for figures in summary.stages {
      if isSum.contains(figures.stage), !wasSum {
        lines.append("")
        wasSum = true
      }
      lines.append(
        Self.line(
          figures.stage.name, figures.plain, toFloor: figures.toFloor,
          uncertainty: figures.uncertainty))
      if let corrected = figures.corrected { lines.append(Self.line("  from when due", corrected)) }
    }
    lines.append("")
    if let floor = summary.floor { lines.append(Self.line("floor: pty", floor, toFloor: 1)) }
    if let flush = summary.flush { lines.append(Self.line("floor: disk", flush)) }
    if summary.floor == nil { lines.append("floor: not measured") }
    return lines
  }

  /// Notes that a reader of the figures needs.
  var notes: [String] {
    let all = summary.stages.map(\.plain)
    var notes: [String] = []
    if all.contains(where: { $0.p90 == nil || $0.p99 == nil || $0.p999 == nil }) {
      notes.append(
        "–: too few presses for that tail (p90 takes \(Figures.needed(for: 90)), p99"
          + " \(Figures.needed(for: 99)), p99.9 \(FigureText.grouped(Figures.needed(for: 99.9))))")
    }
    for figures in summary.stages where figures.plain.negative > 0 {
      notes.append(
        "\(figures.stage.name): \(figures.plain.negative) of \(figures.plain.count) came out below"
          + " zero, as "
          + (figures.uncertainty == 0
            ? "its first stamp is taken behind a write that the other side has read by then"
            : "two clocks make them"))
    }
    for figures in summary.stages {
      guard let uncertainty = figures.uncertainty, uncertainty > 0,
        abs(figures.plain.median) <= uncertainty
      else { continue }
      notes.append(
        "\(figures.stage.name): its median is below what the two clocks leave open"
          + " (± \(FigureText.microseconds(uncertainty)) µs)")
    }
    return notes
  }

  private static func line(
    _ name: String, _ figures: Figures, toFloor: Double? = nil, uncertainty: Double? = nil
  ) -> String {
    line(
      name,
      [FigureText.grouped(figures.count)]
        + [
          figures.min, figures.median, figures.p90, figures.p99, figures.p999, figures.max,
          figures.mean,
        ].map(FigureText.microseconds)
        + [
          toFloor.map { FigureText.decimal($0, digits: $0 < 100 ? 2 : 0) } ?? "",
          uncertainty.map(FigureText.microseconds) ?? "",
        ])
  }

  private static func line(_ name: String, _ cells: [String]) -> String {
    var text = FigureText.left(name, nameWidth)
    for (cell, column) in zip(cells, columns) {
      text += " " + FigureText.right(cell, max(7, column.count))
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}
