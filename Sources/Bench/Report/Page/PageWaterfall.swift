/// The stages of a press one after the other: medians as bars, p99 as a thin line, the floor below.
///
/// The keychain's debounce takes a hundred times as long as all the rest, so it has a row of its
/// own that is not to scale.
struct PageWaterfall {
  let summary: BenchSummary
  let old: BenchSummary?

  private static let (width, left, right) = (920.0, 130.0, 190.0)
  private static let (row, bar) = (34.0, 14.0)

  private var stages: [StageFigures] {
    LatencyStage.inOrder.filter { $0 != .debounce }.compactMap { summary[$0] }
  }

  var markup: String {
    let stages = stages
    guard !stages.isEmpty else { return Markup.text("p", "No stage was seen.") }
    let span = span
    var (parts, top, start, oldStart) = ([String](), 34.0, 0.0, 0.0)
    parts += axis(span, height: Double(stages.count + 2) * Self.row + top)
    if let debounce = summary[.debounce] {
      parts += unscaled(debounce, top: top)
      top += Self.row
    }
    for figures in stages {
      if let old = old?[figures.stage]?.plain {
        parts.append(bar(old, from: oldStart, top: top + Self.bar + 1, height: 4, "old", span))
        oldStart += max(0, old.median)
      }
      parts += row(figures.stage.name, figures.plain, from: start, top: top, "stage", span)
      start += max(0, figures.plain.median)
      top += Self.row
    }
    if let floor = summary.floor {
      if let old = old?.floor {
        parts.append(bar(old, from: 0, top: top + Self.bar + 1, height: 4, "old", span))
      }
      parts += row("floor: pty", floor, from: 0, top: top, "floor", span)
      top += Self.row
    }
    if let flush = summary.flush {
      parts += row("floor: disk", flush, from: 0, top: top, "floor", span)
      top += Self.row
    }
    return Markup.drawing(
      width: Self.width, height: top + 6,
      label: "Stages of a press after its debounce: "
        + stages.map { "\($0.stage.name) \(FigureText.duration($0.plain.median))" }
        .joined(separator: ", "), parts)
  }

  /// µs from the left edge to the right one: all medians, and tails up to 1.6 times as much.
  private var span: Double {
    let medians = stages.map { max(0, $0.plain.median) }
    let whole = max(
      medians.reduce(0, +),
      LatencyStage.inOrder.compactMap { $0 == .debounce ? nil : old?[$0]?.plain.median }
        .reduce(0, +), summary.flush?.median ?? 0, summary.floor?.median ?? 0, 1)
    var (start, end) = (0.0, whole)
    for figures in stages {
      end = max(end, start + (figures.plain.p99 ?? 0))
      start += max(0, figures.plain.median)
    }
    return min(end, 1.6 * whole) * 1.02
  }

  private func x(_ microseconds: Double, _ span: Double) -> Double {
    Self.left + (Self.width - Self.left - Self.right) * min(1, max(0, microseconds / span))
  }

  private func bar(
    _ figures: Figures, from start: Double, top: Double, height: Double, _ kind: String,
    _ span: Double
  ) -> String {
    let from = x(start, span)
    return Markup.empty(
      "rect",
      [
        "class": kind, "x": Markup.at(from), "y": Markup.at(top),
        "width": Markup.at(max(1.5, x(start + figures.median, span) - from)),
        "height": Markup.at(height), "rx": "2",
      ])
  }

  private func row(
    _ name: String, _ figures: Figures, from start: Double, top: Double, _ kind: String,
    _ span: Double
  ) -> [String] {
    var parts = [
      label(name, top: top), bar(figures, from: start, top: top, height: Self.bar, kind, span),
    ]
    var words = FigureText.duration(figures.median)
    if let p99 = figures.p99 {
      words += " · p99 \(FigureText.duration(p99))"
      let (from, to) = (x(start + figures.median, span), x(start + p99, span))
      let y = Markup.at(top + Self.bar / 2)
      parts.append(
        Markup.empty(
          "line",
          ["class": "tail \(kind)", "x1": Markup.at(from), "x2": Markup.at(to), "y1": y, "y2": y]))
      let isCut = start + p99 > span
      parts.append(
        isCut
          ? Markup.empty(
            "path",
            [
              "class": "cut \(kind)",
              "d": "M\(Markup.at(to - 5)) \(Markup.at(top + 3)) l5 4 l-5 4",
            ])
          : Markup.empty(
            "line",
            [
              "class": "tail \(kind)", "x1": Markup.at(to), "x2": Markup.at(to),
              "y1": Markup.at(top + 3), "y2": Markup.at(top + Self.bar - 3),
            ]))
    }
    parts.append(value(words, top: top))
    return parts
  }

  private func unscaled(_ debounce: StageFigures, top: Double) -> [String] {
    let (from, to) = (Self.left, Self.width - Self.right)
    let middle = (from + to) / 2
    return [
      label(debounce.stage.name, top: top),
      Markup.empty(
        "rect",
        [
          "class": "debounce", "x": Markup.at(from), "y": Markup.at(top),
          "width": Markup.at(to - from), "height": Markup.at(Self.bar), "rx": "2",
        ]),
      Markup.empty(
        "path",
        [
          "class": "break",
          "d": "M\(Markup.at(middle - 6)) \(Markup.at(top - 3)) l6 20 m6 -20 l6 20",
        ]),
      value("\(FigureText.duration(debounce.plain.median)), not to scale", top: top),
    ]
  }

  private func label(_ name: String, top: Double) -> String {
    Markup.text(
      "text", name,
      [
        "class": "name", "x": Markup.at(Self.left - 10), "y": Markup.at(top + Self.bar - 2),
        "text-anchor": "end",
      ])
  }

  private func value(_ words: String, top: Double) -> String {
    Markup.text(
      "text", words,
      [
        "class": "value", "x": Markup.at(Self.width - Self.right + 10),
        "y": Markup.at(top + Self.bar - 2),
      ])
  }

  private func axis(_ span: Double, height: Double) -> [String] {
    PageScale.steps(upTo: span, about: 6).flatMap { tick -> [String] in
      let at = Markup.at(x(tick, span))
      return [
        Markup.empty(
          "line", ["class": "grid", "x1": at, "x2": at, "y1": "22", "y2": Markup.at(height)]),
        Markup.text(
          "text", tick == 0 ? "stored" : FigureText.duration(tick).replacing(".0 ", with: " "),
          ["class": "tick", "x": at, "y": "14", "text-anchor": "middle"]),
      ]
    }
  }
}
