import Foundation
import Histogram

/// A run as an HdrHistogram log, version 1.3: text that HistogramLogProcessor and its relatives
/// read.
///
/// A line is `Tag=stage,start,length,largest,histogram`: seconds from the run's begin, seconds,
/// milliseconds, and the histogram (nanoseconds) as ``HistogramEncoding`` in base64. Sums counted
/// from when the press was due have the tag `stage-corrected`; the floors `floor` and `flush`.
struct HistogramLog {
  let result: BenchResult

  var text: String {
    let samples = result.blocks.flatMap(\.samples)
    var lines = head
    func append(_ tag: String, _ distribution: Distribution) {
      if distribution.count > 0 { lines.append(line(tag, distribution)) }
      if distribution.negativeCount > 0 {
        lines.append("#[\(tag): \(distribution.negativeCount) below zero are counted as zero]")
      }
    }
    for stage in LatencyStage.single + LatencyStage.sums {
      append(
        stage.rawValue, Distribution(microseconds: samples.compactMap { $0.duration(of: stage) }))
      if let corrected = Distribution.corrected(stage, of: samples, rate: result.rate) {
        append("\(stage.rawValue)-corrected", corrected)
      }
    }
    append("floor", Distribution(tenths: result.blocks.flatMap(\.floor)))
    append("flush", Distribution(tenths: result.blocks.flatMap(\.flushes)))
    return lines.map { "\($0)\n" }.joined()
  }

  private var head: [String] {
    let seconds = FigureText.plain(Self.secondsSinceEpoch(result.began), digits: 3)
    return [
      "#[fob bench latency: \(Self.oneLine(result.device)); nanoseconds]",
      "#[Histogram log format version 1.3]",
      "#[StartTime: \(seconds) (seconds since epoch), \(Self.oneLine(result.began))]",
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"",
    ]
  }

  private func line(_ tag: String, _ distribution: Distribution) -> String {
    let length = FigureText.plain(result.duration, digits: 3)
    let largest = FigureText.plain(Double(max(0, distribution.largest)) / 1e6, digits: 3)
    let bytes = HistogramEncoding.compressed(distribution.histogram)
    return "Tag=\(tag),0.000,\(length),\(largest),\(Data(bytes).base64EncodedString())"
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "]" ? " " : $0 })
  }

  /// Zero of what is no RFC 3339 time.
  private static func secondsSinceEpoch(_ text: String) -> Double {
    let formatter = ISO8601DateFormatter()
    for options: ISO8601DateFormatter.Options in [
      [.withInternetDateTime, .withFractionalSeconds], .withInternetDateTime,
    ] {
      formatter.formatOptions = options
      if let date = formatter.date(from: text) { return date.timeIntervalSince1970 }
    }
    return 0
  }
}
