import Histogram

/// Median and p99 of each stage while a run goes on: the final table in short.
public struct LiveTable: Sendable {
  private var histograms = StageHistograms()
  /// How many samples were added.
  public private(set) var count = 0

  /// Begins without samples.
  public init() {}

  /// Each sample is to be added once.
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

/// The durations of each stage, counted in a fixed amount of memory: two significant digits, a
/// minute at the most.
public struct StageHistograms: Sendable {
  /// The figures of one stage, µs.
  public struct Summary: Sendable {
    /// How many durations were counted.
    public var count: Int
    /// Two clocks can make a duration negative; in the histogram it counts as 0.
    public var min: Int64
    /// The median, to two significant digits.
    public var p50: Int64
    /// At or above 90 % of the durations, to two significant digits.
    public var p90: Int64
    /// At or above 99 % of the durations, to two significant digits.
    public var p99: Int64
    /// The largest, exactly as it was added.
    public var max: Int64
    /// The mean of the exact durations, rounded to whole µs.
    public var mean: Int64
    /// How many durations are at most `upper` and above the bucket before; empty buckets are left
    /// out.
    public var buckets: [(upper: Int64, count: Int)]
  }

  fileprivate struct Counted {
    var histogram = Histogram<UInt32>(
      highestTrackableValue: StageHistograms.most, numberOfSignificantValueDigits: .two)
    var smallest = Int64.max
    var largest = Int64.min
    var sum = 0.0
  }

  /// µs: longer durations count as this long. The firmware waits less for its answer.
  fileprivate static let most: UInt64 = 60_000_000

  private var stages: [LatencyStage: Counted] = [:]

  /// Nothing is counted yet.
  public init() {}

  /// Counts each stage that has both stamps.
  public mutating func add(_ sample: LatencySample) {
    for stage in LatencyStage.allCases {
      guard let duration = sample.duration(of: stage) else { continue }
      stages[stage, default: Counted()].add(duration)
    }
  }

  /// Nil where nothing was counted.
  public func summary(of stage: LatencyStage) -> Summary? { stages[stage]?.summary }

  /// µs; nil where nothing was counted.
  public func value(of stage: LatencyStage, at percentile: Double) -> Int64? {
    stages[stage]?.value(at: percentile)
  }
}

extension StageHistograms.Counted {
  fileprivate mutating func add(_ duration: Int64) {
    (smallest, largest) = (Swift.min(smallest, duration), Swift.max(largest, duration))
    sum += Double(duration)
    histogram.record(Swift.min(StageHistograms.most, UInt64(clamping: duration)))
  }

  /// At most the largest duration that was counted, although a step of the histogram ends above it.
  fileprivate func value(at percentile: Double) -> Int64 {
    Swift.min(Int64(clamping: histogram.valueAtPercentile(percentile)), Swift.max(0, largest))
  }

  fileprivate var summary: StageHistograms.Summary {
    let count = Int(histogram.totalCount)
    return StageHistograms.Summary(
      count: count, min: smallest, p50: value(at: 50), p90: value(at: 90), p99: value(at: 99),
      max: largest, mean: Int64((sum / Double(Swift.max(1, count))).rounded()),
      buckets: histogram.recordedValues().map {
        (Int64(clamping: $0.value), Int(clamping: $0.countAddedInThisIterationStep))
      })
  }
}
