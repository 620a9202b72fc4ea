import Bench

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

  func tell(json: String?, histogram: String?, page: String?) throws {
    let compared = compare()
    let comparison = try? compared?.get()
    let report = BenchReport(result, comparison: comparison)
    Terminal.write(report.table)
    if let json { try TextFile.write(BenchFile.encode(result), to: json) }
    if let histogram { try TextFile.write(report.histogramLog, to: histogram) }
    if let page { try TextFile.write(report.page, to: page) }
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
