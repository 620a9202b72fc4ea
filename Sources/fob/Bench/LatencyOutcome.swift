import ArgumentParser
import Bench

/// The files that `fob bench latency` writes.
struct LatencyFiles: ParsableArguments {
  @Option(help: "Write the run to this file as JSON, for --compare; - is standard output.")
  var save: String?

  @Option(
    help: "Write an HdrHistogram log of every stage to this file; - is standard output.")
  var histogram: String?

  @Option(
    help: """
      Write a page for a browser to this file, with curves and the waterfall; - is standard output.
      """)
  var report: String?

  /// Looked at before the run; nil where it was not asked for.
  struct Outputs {
    let save: OutputFile?
    let histogram: OutputFile?
    let page: OutputFile?
  }

  func open() throws(Failure) -> Outputs {
    Outputs(
      save: try Self.file(save), histogram: try Self.file(histogram), page: try Self.file(report))
  }

  private static func file(_ path: String?) throws(Failure) -> OutputFile? {
    guard let path else { return nil }
    return try OutputFile(path)
  }
}

/// What a run leaves: files, the last table, and how the process ends.
struct LatencyOutcome {
  private let result: BenchResult
  private let old: BenchResult?
  private let isSideBySide: Bool

  /// - Parameters:
  ///   - old: what it is compared with.
  ///   - isSideBySide: both were made at the same time, block by block.
  init(_ result: BenchResult, old: BenchResult?, isSideBySide: Bool = false) {
    self.result = result
    self.old = old
    self.isSideBySide = isSideBySide
  }

  func tell(_ outputs: LatencyFiles.Outputs, asJSON: Bool) throws {
    let compared = compare()
    let comparison = try? compared?.get()
    let report = BenchReport(result, comparison: comparison)
    Terminal.write(report.table)
    let json = try BenchFile.encode(result)
    if asJSON { Terminal.output(String(json.dropLast())) }
    try outputs.save?.write(json)
    try outputs.histogram?.write(report.histogramLog)
    try outputs.page?.write(report.page)
    let measured = result.blocks.reduce(0) { $0 + $1.samples.count }
    guard result.lost == 0 else {
      throw Failure(
        .expectationMissed,
        "\(result.lost) of \(measured + result.warmUp + result.lost) presses were lost: nothing"
          + " was heard of them within 2 s")
    }
    if let pacing = result.pacing, pacing.isRefused {
      throw Failure(
        .unsteady,
        "the figures are refused: a hundredth of the presses was made \(pacing.p99) µs off their"
          + " due time or more, and \(pacing.limit) is the limit (--max-pacing-error); do nothing"
          + " else on this machine, or give fewer presses with --rate")
    }
    guard measured > 0 else { throw Failure(.expectationMissed, "no press was measured") }
    if case .failure(let refusal)? = compared { throw Failure(.usage, "\(refusal)") }
    if comparison?.verdict == .worse {
      throw Failure(.expectationMissed, "a stage is worse than it was")
    }
  }

  private func compare() -> Result<Comparison, ComparisonRefusal>? {
    old.map { old in
      Result { () throws(ComparisonRefusal) in
        try Comparison(old: old, new: result, isSideBySide: isSideBySide)
      }
    }
  }
}
