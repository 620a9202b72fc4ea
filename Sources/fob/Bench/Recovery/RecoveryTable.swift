import Bench
import FobBase
import Simulation

/// Troubles as a table, a row each.
enum RecoveryTable {
  private static let widths = [16, 6, 12, 12, 12, 8, 8, 8]

  static var head: String {
    row(["trouble", "times", "p50", "p99", "most", "bytes", "p99", "most"])
  }

  static func row(_ row: RecoveryReport.Row) -> String {
    let times = [row.time?.median, row.time?.p99, row.time?.largest].map {
      $0.map { NumberText.length(.microseconds($0)) } ?? "-"
    }
    let bytes = [row.bytes?.median, row.bytes?.p99, row.bytes?.largest].map {
      $0.map { "\($0)" } ?? "-"
    }
    let text = self.row([row.trouble, "\(row.time?.count ?? 0)"] + times + bytes)
    return row.unrecovered == 0 ? text : text + "  \(row.unrecovered) never recovered"
  }

  static func summary(_ report: RecoveryReport) -> String {
    "\(report.presses) presses,"
      + " \(report.lost) lost, \(report.doubled) doubled; seed \(report.seed)"
  }

  private static func row(_ fields: [String]) -> String {
    zip(fields, widths).enumerated().map { index, pair in
      index == 0 ? NumberText.left(pair.0, pair.1) : NumberText.right(pair.0, pair.1)
    }.joined(separator: "  ")
  }
}
