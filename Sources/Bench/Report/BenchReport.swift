/// A run in every form that it is told in: terminal, JSON, HdrHistogram log, page.
///
/// All are pure functions of the result, so they can be made while the run goes on.
public struct BenchReport: Sendable {
  public let result: BenchResult
  public let summary: BenchSummary
  /// With an earlier run, where one was asked for.
  public let comparison: Comparison?

  public init(_ result: BenchResult, comparison: Comparison? = nil) {
    self.result = result
    self.comparison = comparison
    summary = BenchSummary(result)
  }

  /// Lines for a terminal, each with its newline: the table, what it means, and the comparison.
  public var table: String {
    let lines =
      BenchTable(result: result, summary: summary).lines
      + (comparison.map { [""] + $0.lines } ?? [])
    return lines.map { "\($0)\n" }.joined()
  }

  /// The file for people: HTML with everything in it, no network, no script.
  public var page: String {
    BenchPage(result: result, summary: summary, comparison: comparison).markup
  }

  /// An HdrHistogram log, version 1.3: a histogram of each stage under its name as tag, values in
  /// nanoseconds.
  public var histogramLog: String { HistogramLog(result: result).text }
}
