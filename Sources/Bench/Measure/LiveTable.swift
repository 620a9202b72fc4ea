import Histogram

/// Median and p99 of each stage while a run goes on: what the last table says, in short.
public struct LiveTable: Sendable {
  private var histograms: [LatencyStage: Histogram<UInt32>] = [:]
  public private(set) var count = 0

  /// µs: more than the firmware waits for its answer.
  private static let most: UInt64 = 60_000_000

  public init() {}

  public mutating func add(_ samples: [LatencySample]) {
    count += samples.count
    for stage in LatencyStage.allCases {
      for duration in samples.compactMap({ $0.duration(of: stage) }) {
        histograms[stage, default: Histogram(highestTrackableValue: Self.most)].record(
          UInt64(clamping: min(Int64(Self.most), max(0, duration))))
      }
    }
  }

  /// A line for each stage that was seen, the waterfall first.
  public var lines: [String] {
    ["  stage                   median        p99"]
      + (LatencyStage.inOrder + LatencyStage.sums).compactMap { stage in
        guard let histogram = histograms[stage] else { return nil }
        let figures = [50.0, 99.0].map { Self.milliseconds(histogram.valueAtPercentile($0)) }
        return "  " + Self.pad(stage.rawValue, 20) + figures.joined()
      }
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func milliseconds(_ microseconds: UInt64) -> String {
    let fraction = String(microseconds % 1_000)
    let text =
      "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    return String(repeating: " ", count: max(1, 8 - text.count)) + text + " ms"
  }
}
