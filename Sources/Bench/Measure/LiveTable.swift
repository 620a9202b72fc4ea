/// Median and p99 of each stage while a run goes on: what the last table says, in short.
public struct LiveTable: Sendable {
  private var histograms = StageHistograms()
  public private(set) var count = 0

  public init() {}

  public mutating func add(_ samples: [LatencySample]) {
    count += samples.count
    for sample in samples { histograms.add(sample) }
  }

  /// A line for each stage that was seen, the waterfall first.
  public var lines: [String] {
    ["  stage                   median        p99"]
      + (LatencyStage.inOrder + LatencyStage.sums).compactMap { stage in
        let figures = [50.0, 99.0].compactMap { histograms.value(of: stage, at: $0) }
        guard !figures.isEmpty else { return nil }
        return "  " + Self.pad(stage.rawValue, 20) + figures.map(Self.milliseconds).joined()
      }
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  private static func milliseconds(_ microseconds: Int64) -> String {
    let fraction = String(microseconds % 1_000)
    let text =
      "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    return String(repeating: " ", count: max(1, 8 - text.count)) + text + " ms"
  }
}
