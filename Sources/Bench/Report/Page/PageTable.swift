/// All figures of a run as a table of HTML, with the medians of an earlier one.
struct PageTable {
  let summary: BenchSummary
  let old: BenchSummary?

  private var heads: [String] {
    ["µs", "presses", "min", "median"] + (old == nil ? [] : ["before"])
      + ["p90", "p99", "p99.9", "max", "mean", "× floor", "± clock"]
  }

  var markup: String {
    let head = Markup.element(
      "tr", heads.map { Markup.text("th", $0, ["scope": "col"]) }.joined())
    let (parts, sums) = (
      summary.stages.filter { LatencyStage.single.contains($0.stage) },
      summary.stages.filter { LatencyStage.sums.contains($0.stage) }
    )
    var floors: [String] = []
    if let floor = summary.floor {
      floors.append(row("floor: pty", floor, old: old?.floor, toFloor: 1, "nothing else done"))
    }
    if let flush = summary.flush {
      floors.append(row("floor: disk", flush, old: old?.flush, "a page in place, fdatasync"))
    }
    let bodies = [parts.flatMap(rows), sums.flatMap(rows), floors].filter { !$0.isEmpty }
      .map { Markup.element("tbody", $0.joined(separator: "\n")) }
    return Markup.element(
      "div",
      Markup.element(
        "table",
        Markup.element("thead", head) + bodies.joined(separator: "\n")),
      ["class": "wide"])
  }

  private func rows(_ figures: StageFigures) -> [String] {
    let before = old?[figures.stage]
    var rows = [
      row(
        figures.stage.name, figures.plain, old: before?.plain, toFloor: figures.toFloor,
        uncertainty: figures.uncertainty, figures.stage.meaning)
    ]
    if let corrected = figures.corrected {
      rows.append(row("from when due", corrected, old: before?.corrected, "", isBelow: true))
    }
    return rows
  }

  private func row(
    _ name: String, _ figures: Figures, old before: Figures?, toFloor: Double? = nil,
    uncertainty: Double? = nil, _ meaning: String, isBelow: Bool = false
  ) -> String {
    let tails = [figures.p90, figures.p99, figures.p999, figures.max, figures.mean]
    var cells = [
      FigureText.grouped(figures.count), FigureText.microseconds(figures.min),
      FigureText.microseconds(figures.median),
    ]
    if old != nil { cells.append(before.map { FigureText.microseconds($0.median) } ?? "") }
    cells += tails.map(FigureText.microseconds)
    cells.append(toFloor.map { FigureText.decimal($0, digits: $0 < 100 ? 2 : 0) } ?? "")
    cells.append(uncertainty.map(FigureText.microseconds) ?? "")
    let head =
      Markup.escape(name) + (meaning.isEmpty ? "" : Markup.text("small", meaning))
    return Markup.element(
      "tr",
      Markup.element("th", head, ["scope": "row"]) + cells.map { Markup.text("td", $0) }.joined(),
      isBelow ? ["class": "below"] : [:])
  }
}
