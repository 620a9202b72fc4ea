import Capture
import FobBase

/// The statistics at the end of `fob monitor`, as a table.
enum StatisticsText {
  static func lines(_ statistics: FrameStatistics, elapsed: Interval) -> [String] {
    var rows: [(String, FrameStatistics.Count)] = statistics.frames.map { ($0.name, $0.count) }
    rows.append(("all frames", sum(statistics)))
    rows.append(("damaged", statistics.damaged))
    rows.append(("missing by seq", statistics.missing))
    rows.append(("RESENT", statistics.resent))
    var lines = ["", row("", "D→H", "H→D")]
    lines += rows.map { row($0, "\($1.toHost)", "\($1.toDevice)") }
    if statistics.lostChunks > 0 {
      lines.append(
        "lost on the way here: \(statistics.lostChunks) pieces, which damage frames above")
    }
    lines.append("in \(DecimalText.of(elapsed.microseconds, places: 6)) s")
    return lines
  }

  static func sum(_ statistics: FrameStatistics) -> FrameStatistics.Count {
    statistics.frames.reduce(into: FrameStatistics.Count()) { sum, row in
      sum.toHost += row.count.toHost
      sum.toDevice += row.count.toDevice
    }
  }

  private static func row(_ name: String, _ toHost: String, _ toDevice: String) -> String {
    StageTable.pad(name, 16) + right(toHost, 8) + right(toDevice, 8)
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}

/// The same as one object, the last line of `--json`.
struct StatisticsJSON: Encodable {
  private struct Count: Encodable {
    let host: Int
    let device: Int

    init(_ count: FrameStatistics.Count) {
      host = count.toHost
      device = count.toDevice
    }
  }

  private let kind = "statistics"
  private let frames: [String: Count]
  private let damaged: Count
  private let missing: Count
  private let resent: Count
  private let lost: Int
  private let microseconds: Int64

  init(statistics: FrameStatistics, elapsed: Interval) {
    frames = Dictionary(uniqueKeysWithValues: statistics.frames.map { ($0.name, Count($0.count)) })
    damaged = Count(statistics.damaged)
    missing = Count(statistics.missing)
    resent = Count(statistics.resent)
    lost = statistics.lostChunks
    microseconds = elapsed.microseconds
  }
}
