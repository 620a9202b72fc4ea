import FobBase

/// A run as a page of drawings for people: one file that fetches nothing and has no script.
struct BenchPage {
  let result: BenchResult
  let summary: BenchSummary
  let comparison: Comparison?

  private var words: BenchWords { BenchWords(result: result, summary: summary) }

  var markup: String {
    let title = XML.escape(words.title)
    let sections = [
      header, compared, waterfall, curves, figures, pacing, machine, Self.section("How", Self.how),
    ].filter { !$0.isEmpty }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      \(PageStyle.text)
      </style>
      </head>
      <body>
      <main>
      \(sections.joined(separator: "\n"))
      </main>
      </body>
      </html>

      """
  }

  private var header: String {
    let began = result.began.isEmpty ? "" : "\(result.began) · "
    return Markup.element(
      "header",
      Markup.text("h1", words.title) + Markup.text("p", began + words.extent, ["class": "meta"])
        + Markup.text("p", words.meaning, ["class": "lede"]))
  }

  private var compared: String {
    guard let comparison else { return "" }
    let badge = Markup.text(
      "span", comparison.verdict.rawValue, ["class": "verdict \(comparison.verdict.rawValue)"])
    let sentences =
      comparison.sentences.map { Markup.text("li", $0) }
      + comparison.warnings.map { Markup.text("li", "Warning: \($0)") }
    let head = ["µs", "before", "now", "change", "counts from", "p", "verdict"]
      .map { Markup.text("th", $0, ["scope": "col"]) }.joined()
    let rows = comparison.stages.map { stage in
      Markup.element(
        "tr",
        Markup.text("th", stage.stage.name, ["scope": "row"])
          + [
            FigureText.microseconds(stage.old), FigureText.microseconds(stage.new),
            (stage.change > 0 ? "+" : "") + FigureText.microseconds(stage.change),
            FigureText.microseconds(stage.smallest), Comparison.probability(stage.probability),
          ].map { Markup.text("td", $0) }.joined()
          + Markup.text("td", stage.verdict.rawValue, ["class": stage.verdict.rawValue]))
    }
    let table = Markup.element(
      "div",
      Markup.element(
        "table",
        Markup.element("thead", Markup.element("tr", head))
          + Markup.element("tbody", rows.joined(separator: "\n"))), ["class": "wide"])
    return Self.section(
      "Against \(comparison.other)",
      Markup.element("p", badge) + Markup.element("ul", sentences.joined()) + table)
  }

  private var waterfall: String {
    Self.section(
      "Where the time goes",
      Self.figure(
        PageWaterfall(summary: summary, old: comparison?.oldSummary).markup,
        "Bars are medians, one after the other from the moment the keychain has stored the press;"
          + " thin lines go on to p99. "
          + (comparison == nil ? "" : "The narrow bars below are the earlier run.")))
  }

  private var curves: String {
    Self.section(
      "How long at worst",
      Self.figure(
        PageCurves(result: result, old: comparison?.old).markup,
        "Each step to the right is a nine more; a curve ends where fewer than three presses are"
          + " beyond. Sums from the press count from when it was due. "
          + (comparison == nil ? "" : "Dashed: the earlier run.")))
  }

  private var figures: String {
    let notes = BenchTable(result: result, summary: summary).notes.map { Markup.text("li", $0) }
    return Self.section(
      "All figures",
      PageTable(summary: summary, old: comparison?.oldSummary).markup
        + (notes.isEmpty ? "" : Markup.element("ul", notes.joined(), ["class": "hint"])))
  }

  private var pacing: String {
    Self.section(
      "Were the presses on time?",
      Markup.text("p", "\(words.pacing).", ["class": "hint"])
        + (result.pacing == nil ? "" : Self.figure(PagePacing(result: result).markup, "")))
  }

  private var machine: String {
    let machine = result.environment
    let load =
      "\(FigureText.decimal(machine.loadBefore, digits: 2)) before,"
      + " \(FigureText.decimal(machine.loadAfter, digits: 2)) after"
    let flush = machine.flushMedian.map { median in
      "\(FigureText.grouped(median)) µs"
        + (machine.flushP99.map { ", p99 \(FigureText.grouped($0)) µs" } ?? "")
    }
    let facts: [(String, String)] = [
      ("Kernel", "Linux \(machine.kernel)"), ("Processor", machine.processor),
      ("Processors", "\(machine.processors)"), ("Governor", machine.governor ?? "unknown"),
      ("Load", load), ("Disk flush", flush ?? "not measured"), ("Build", machine.build),
      ("Options", machine.options.isEmpty ? "none" : machine.options.joined(separator: ", ")),
    ]
    return Self.section(
      "The machine",
      Markup.element(
        "dl", facts.map { Markup.text("dt", $0.0) + Markup.text("dd", $0.1) }.joined()))
  }

  private static let how = [
    "Every press is made when it is due, whatever became of the one before; what a slow answer"
      + " held up is counted from when it was due, and so not left out (coordinated omission).",
    "Times are counted in HdrHistograms with three significant digits. A tail is given where at"
      + " least three presses are expected beyond it.",
    "The floor is the harness itself: bytes from one thread to another over a pty, nothing else"
      + " done, in the same run and between the presses, so that it meets the machine as they do.",
    "± clock is how far the keychain's clock and the host's may be apart, for stages between both.",
  ].map { Markup.text("p", $0, ["class": "hint"]) }.joined()

  private static func section(_ title: String, _ inside: String) -> String {
    Markup.element("section", Markup.text("h2", title) + inside)
  }

  private static func figure(_ drawing: String, _ caption: String) -> String {
    Markup.element(
      "figure", drawing + (caption.isEmpty ? "" : Markup.text("figcaption", caption)))
  }
}

/// How far each press came from when it was due, counted in steps of a factor of two.
struct PagePacing {
  let result: BenchResult

  private static let (width, height) = (920.0, 190.0)
  private static let (left, bottom) = (10.0, 28.0)

  /// |first edge − due| of every press, µs.
  private var errors: [Int64] {
    result.blocks.flatMap(\.samples).compactMap { sample in
      guard let due = sample.due, let edge = sample.edge else { return nil }
      return abs(edge - due)
    }
  }

  var markup: String {
    let errors = errors
    guard let largest = errors.max() else {
      return Markup.text("p", "Pressed by hand: no press was due.")
    }
    // Up to 1, 2, 4, … µs.
    let count = max(4, 65 - max(largest - 1, 0).leadingZeroBitCount)
    var counts = [Int](repeating: 0, count: count)
    for error in errors { counts[64 - max(error - 1, 0).leadingZeroBitCount] += 1 }
    let step = (Self.width - 2 * Self.left) / Double(count)
    let ground = Self.height - Self.bottom
    let scale = (ground - 24) / Double(max(1, counts.max() ?? 1))
    var parts: [String] = []
    for (index, number) in counts.enumerated() {
      let (x, tall) = (Self.left + Double(index) * step, Double(number) * scale)
      parts.append(
        Markup.empty(
          "rect",
          [
            "class": "pace", "x": Markup.at(x + 2), "y": Markup.at(ground - tall),
            "width": Markup.at(step - 4), "height": Markup.at(tall), "rx": "2",
          ]))
      if number > 0 {
        parts.append(
          text(FigureText.grouped(number), x + step / 2, ground - tall - 6, "value"))
      }
      let end = Double(sign: .plus, exponent: index, significand: 1)
      parts.append(
        text(
          "≤ " + FigureText.duration(end).replacing(".0 ", with: " "), x + step / 2, ground + 18,
          "tick"))
    }
    return Markup.drawing(
      width: Self.width, height: Self.height,
      label: "How late or early the presses came, largest \(FigureText.grouped(largest)) µs", parts)
  }

  private func text(_ words: String, _ x: Double, _ y: Double, _ kind: String) -> String {
    Markup.text(
      "text", words,
      ["class": kind, "x": Markup.at(x), "y": Markup.at(y), "text-anchor": "middle"])
  }
}

/// The looks of the page: light and dark as the reader's system is, and fit for paper.
enum PageStyle {
  static let text = """
    :root { color-scheme: light dark;
      --ground: #fbfaf8; --card: #fff; --ink: #1c2024; --soft: #60656c; --rule: #e3e1dc;
      --stage: #2a6fbb; --floor: #8d8d86; --debounce: #d9d6ce; --old: #c77d2a;
      --good: #1d7a46; --bad: #b3261e; --even: #60656c;
      --c0: #2a6fbb; --c1: #8a4fbf; --c2: #c2366b; --c3: #14857a; --c4: #b0731a; }
    @media (prefers-color-scheme: dark) { :root {
      --ground: #14171a; --card: #1b1f23; --ink: #e8eaed; --soft: #a0a7af; --rule: #2f353b;
      --stage: #6aa9ee; --floor: #84867f; --debounce: #3a4047; --old: #e0a35a;
      --good: #5cc98a; --bad: #ff8a80; --even: #a0a7af;
      --c0: #6aa9ee; --c1: #bd93f0; --c2: #f0729e; --c3: #4fc9bb; --c4: #e3b25c; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--ink);
      font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
    main { max-width: 74rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
    header { border-bottom: 1px solid var(--rule); padding-bottom: 1.25rem; }
    h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; letter-spacing: -.01em; }
    h2 { font-size: 1.15rem; margin: 2.6rem 0 .3rem; }
    p { margin: .3rem 0 .8rem; max-width: 54rem; }
    .meta, .hint, small, figcaption { color: var(--soft); }
    .lede { font-size: 1.2rem; margin: .9rem 0 0; max-width: 54rem; }
    .verdict { display: inline-block; padding: .15rem .7rem; border-radius: 1rem;
      color: var(--card);
      background: var(--even); font-weight: 600; }
    .verdict.better { background: var(--good); } .verdict.worse { background: var(--bad); }
    td.better { color: var(--good); font-weight: 600; } td.worse { color: var(--bad);
      font-weight: 600; }
    figure { margin: .6rem 0 0; padding: 1rem; background: var(--card);
      border: 1px solid var(--rule); border-radius: .5rem; }
    figcaption { font-size: .85rem; margin-top: .5rem; }
    svg { display: block; width: 100%; height: auto;
      font: 12px system-ui, "DejaVu Sans", sans-serif; }
    .wide { overflow-x: auto; background: var(--card); border: 1px solid var(--rule);
      border-radius: .5rem; padding: .3rem .8rem; margin-top: .6rem; }
    table { border-collapse: collapse; width: 100%; font-size: .88rem;
      font-variant-numeric: tabular-nums; }
    th, td { padding: .32rem .5rem; text-align: right; white-space: nowrap; vertical-align: top; }
    th:first-child { text-align: left; font-weight: 600; }
    th small { display: block; font-weight: 400; font-size: .76rem; line-height: 1.3; }
    thead th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--rule); }
    tbody + tbody tr:first-child > * { border-top: 1px solid var(--rule); }
    tr.below th { padding-left: 1.4rem; font-weight: 400; } tr.below > * { color: var(--soft); }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem;
      margin: .6rem 0; }
    dt { color: var(--soft); } dd { margin: 0; }
    ul { padding-left: 1.2rem; max-width: 50rem; }
    text { fill: var(--ink); } text.tick { fill: var(--soft); font-size: 11px; }
    text.value { fill: var(--soft); font-size: 11.5px; } text.name { font-weight: 600; }
    text.key { font-weight: 600; stroke: none; }
    .grid { stroke: var(--rule); } .stage { fill: var(--stage); stroke: var(--stage);
      stroke-width: 0; }
    .floor { fill: var(--floor); stroke: var(--floor); stroke-width: 0; }
    .debounce { fill: var(--debounce); } .old { fill: var(--old); } .pace { fill: var(--stage); }
    .tail, .cut { stroke-width: 1.4; fill: none; }
    .break { stroke: var(--card); stroke-width: 3; fill: none; }
    .curve { fill: none; stroke-width: 2.2; } .curve.old { fill: none; stroke-width: 1.3;
      stroke-dasharray: 5 4; }
    .c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); }
    .c3 { stroke: var(--c3); } .c4 { stroke: var(--c4); } .cfloor { stroke: var(--floor); }
    text.c0 { fill: var(--c0); } text.c1 { fill: var(--c1); } text.c2 { fill: var(--c2); }
    text.c3 { fill: var(--c3); } text.c4 { fill: var(--c4); } text.cfloor { fill: var(--floor); }
    @media print { body { background: #fff; font-size: 11px; } main { max-width: none; padding: 0; }
      figure, .wide, section { break-inside: avoid; } }
    """
}

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
      XML.escape(name) + (meaning.isEmpty ? "" : Markup.text("small", meaning))
    return Markup.element(
      "tr",
      Markup.element("th", head, ["scope": "row"]) + cells.map { Markup.text("td", $0) }.joined(),
      isBelow ? ["class": "below"] : [:])
  }
}
