import Histogram

/// The distribution of each stage while a run goes on: the final table in short, and a histogram.
public struct LiveTable: Sendable {
  private static let rows = 8
  private static let longestBar = 40

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

  /// A text line for each stage that was seen, the waterfall first; then the histogram of the whole
  /// way, or of as much of it as was seen.
  public var lines: [String] { stages + histogram }

  private var stages: [String] {
    let heads = ["median", "p90", "p99", "max"].map { FigureText.right($0, 11) }.joined()
    return ["  " + FigureText.left("stage, ms", 18) + heads]
      + (LatencyStage.inOrder + LatencyStage.sums).compactMap { stage in
        guard let summary = histograms.summary(of: stage) else { return nil }
        func tail(_ value: Int64, at percentile: Double) -> String {
          summary.count < Figures.needed(for: percentile)
            ? FigureText.right("–", 11) : Self.column(value)
        }
        return "  " + FigureText.left(stage.name, 18) + Self.column(summary.p50)
          + tail(summary.p90, at: 90) + tail(summary.p99, at: 99) + Self.column(summary.max)
      }
  }

  /// From the shortest to the p99 in steps of one length; what is longer stands in the last row.
  private var histogram: [String] {
    let whole: [LatencyStage] = [.pressToLED, .pressToDurable, .pressToDecided]
    let seen = whole.lazy.compactMap { stage in
      self.histograms.summary(of: stage).map { (stage, $0) }
    }.first
    guard let (stage, summary) = seen else { return [] }
    let least = max(0, summary.min)
    let step = max(1, (summary.p99 - least) / Int64(Self.rows) + 1)
    var counts = Array(repeating: 0, count: Self.rows + 1)
    for bucket in summary.buckets {
      // A bucket may begin below the shortest duration.
      counts[Int(min(Int64(Self.rows), max(0, bucket.upper - least) / step))] += bucket.count
    }
    let most = max(1, counts.max() ?? 1)
    return ["  \(stage.name)"]
      + counts.enumerated().compactMap { row, count in
        guard row < Self.rows || count > 0 else { return nil }
        let from = Self.column(least + Int64(row) * step)
        let bar = String(repeating: "█", count: (count * Self.longestBar + most - 1) / most)
        return "  \(row < Self.rows ? "from" : "over")" + from + "  " + bar
          + (count == 0 ? "" : " \(count)")
      }
  }

  private static func column(_ microseconds: Int64) -> String {
    FigureText.right(FigureText.plain(Double(microseconds) / 1_000, digits: 3), 11)
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
