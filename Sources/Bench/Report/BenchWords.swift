/// A run in words: the same in the terminal and on the page.
struct BenchWords {
  let result: BenchResult
  let summary: BenchSummary

  var title: String {
    switch result.device {
    case "": "Latency of a keychain"
    case "emulated": "Latency of emulated keychains"
    default: "Latency of \(result.device)"
    }
  }

  /// How many presses, how fast, how long.
  var extent: String {
    let rate = result.rate.map { "\(FigureText.decimal($0, digits: $0 < 10 ? 1 : 0)) a second" }
    return [
      FigureText.count(summary.presses, "press", "presses"), rate ?? "by hand",
      "in \(FigureText.decimal(result.duration, digits: 1)) s",
      "\(FigureText.grouped(result.warmUp)) before them to warm up",
      "\(FigureText.grouped(result.lost)) lost",
    ].joined(separator: ", ")
  }

  var pacing: String {
    guard let pacing = result.pacing else { return "pacing: pressed by hand" }
    return
      "pacing: first edge off its due time by \(pacing.median) µs (median), p99 \(pacing.p99),"
      + " largest \(pacing.largest); refused above p99 \(pacing.limit)"
      + (pacing.isRefused ? ": REFUSED" : "")
  }

  var isRefused: Bool { result.pacing?.isRefused ?? false }

  var environment: String {
    let machine = result.environment
    var parts = [
      "Linux \(machine.kernel)", machine.processor,
      FigureText.count(machine.processors, "processor"),
      "governor \(machine.governor ?? "unknown")",
      "load \(FigureText.decimal(machine.loadBefore, digits: 2)) →"
        + " \(FigureText.decimal(machine.loadAfter, digits: 2))",
    ]
    if let median = machine.flushMedian {
      parts.append("disk flush \(median) µs" + (machine.flushP99.map { " (p99 \($0))" } ?? ""))
    }
    parts.append("\(machine.build) build")
    return "machine: " + (parts + machine.options).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  var remarks: [String] {
    var remarks = [pacing, environment]
    if result.lost > 0 {
      remarks.append(
        "\(FigureText.count(result.lost, "press", "presses")) lost: no decision came, and no figure"
          + " above has them")
    }
    if result.unseen > 0 {
      remarks.append(
        "\(FigureText.count(result.unseen, "press", "presses")) durable, but without their stamps:"
          + " a machine this busy hides its slow ones, and no figure above has them")
    }
    if result.environment.build == "debug" {
      remarks.append("a debug build: its figures say nothing about a release")
    }
    return remarks
  }

  /// One sentence that says what the figures mean.
  var meaning: String {
    if isRefused { return "The presses came too late to mean anything: no figure here counts." }
    let whole = [LatencyStage.pressToLED, .pressToDurable, .pressToDecided]
      .compactMap { summary[$0] }.first
    guard let whole else { return "No press was seen all the way." }
    let parts = whole.stage.parts.compactMap { summary[$0] }
      .sorted { $0.plain.median > $1.plain.median }
    var text =
      "Half of the presses took \(FigureText.duration(whole.plain.median)) from press to"
      + " \(Self.end(of: whole.stage))"
    if let first = parts.first {
      text += "; \(Self.owner(of: first.stage)) is \(FigureText.duration(first.plain.median)) of it"
    }
    if parts.count > 1 {
      text +=
        ", \(Self.owner(of: parts[1].stage)) \(FigureText.duration(parts[1].plain.median))"
    }
    if let bridge = summary[.writtenToDecided], let ratio = bridge.toFloor {
      text +=
        "; wire and bridge take \(FigureText.decimal(ratio, digits: 2)) × a bare pty"
    }
    return text + "."
  }

  private static func end(of sum: LatencyStage) -> String {
    switch sum {
    case .pressToLED: "light"
    case .pressToDurable: "disk"
    default: "decision"
    }
  }

  private static func owner(of stage: LatencyStage) -> String {
    switch stage {
    case .debounce: "the keychain's debounce"
    case .frame: "its framing"
    case .wire: "the wire"
    case .decide: "the bridge's decision"
    case .durable: "the disk"
    case .ack: "the ack's way back"
    default: "the light"
    }
  }
}
