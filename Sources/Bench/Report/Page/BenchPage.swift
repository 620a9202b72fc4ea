/// A run as a page for people, who look rather than read: one file, nothing fetched, no script.
struct BenchPage {
  let result: BenchResult
  let summary: BenchSummary
  let comparison: Comparison?

  private var words: BenchWords { BenchWords(result: result, summary: summary) }

  var markup: String {
    let title = Markup.escape(words.title)
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
