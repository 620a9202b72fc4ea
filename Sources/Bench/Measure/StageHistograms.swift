import Histogram

/// Durations of each stage, counted as they come in so much memory and no more: two significant
/// digits, a minute at the most.
public struct StageHistograms: Sendable {
  /// What is told of one stage, µs.
  public struct Summary: Sendable {
    public var count: Int
    /// Two clocks can make a duration negative; in the histogram it counts as 0.
    public var min: Int64
    public var p50: Int64
    public var p90: Int64
    public var p99: Int64
    public var max: Int64
    public var mean: Int64
    /// How many there were up to `upper` and above the one before, where there were any.
    public var buckets: [(upper: Int64, count: Int)]
  }

  fileprivate struct Counted {
    var histogram = Histogram<UInt32>(
      highestTrackableValue: StageHistograms.most, numberOfSignificantValueDigits: .two)
    var smallest = Int64.max
    var largest = Int64.min
    var sum = 0.0
  }

  /// µs: more than the firmware waits for its answer.
  fileprivate static let most: UInt64 = 60_000_000

  private var stages: [LatencyStage: Counted] = [:]

  public init() {}

  /// Counts each stage of which both stamps are there.
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

  /// Never more than the largest that was counted: a step of the histogram ends above its values.
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
