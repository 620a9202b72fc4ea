import Bench
import Bridge
import SerialIO
import Synchronization

/// How long the presses of this process have taken: counted as they come, in so much memory and no
/// more.
final class LivePresses: Sendable {
  private struct State {
    var histograms = StageHistograms()
    var count = 0
    var last: PressStages?
  }

  /// µs since 1970.
  private let since = WallClock.now()
  private let state = Mutex(State())

  /// On the bridge's event thread; some microseconds of work.
  ///
  /// Of each press the stages are told twice: when it is acked, without its light, and when the
  /// light has said so.
  func note(_ stages: PressStages) {
    var sample = LatencySample()
    sample.take(stages)
    state.withLock { state in
      if sample.lit == nil {
        state.count += 1
      } else {
        // The rest is counted already.
        (sample.stored, sample.written, sample.durable) = (nil, nil, nil)
        (sample.read, sample.decided) = (nil, nil)
      }
      state.histograms.add(sample)
      state.last = stages
    }
  }

  var summary: LatencySummary {
    // A copy, which is read while the next press is counted.
    let state = state.withLock { $0 }
    return LatencySummary(
      presses: state.count, since: since,
      stages: (LatencyStage.inOrder + LatencyStage.sums).map { stage in
        LatencySummary.Stage(stage, state.histograms.summary(of: stage))
      }, last: state.last)
  }
}

/// `GET /v1/bench/latency`, µs.
struct LatencySummary: Encodable {
  struct Stage: Encodable {
    let stage: String
    let meaning: String
    let crossesClocks: Bool
    let isSum: Bool
    let count: Int
    /// These are nil where nothing was counted.
    let min: Int64?
    let p50: Int64?
    let p90: Int64?
    let p99: Int64?
    let max: Int64?
    let mean: Int64?
    /// [up to, count], where there were any.
    let buckets: [[Int64]]

    init(_ stage: LatencyStage, _ summary: StageHistograms.Summary?) {
      self.stage = stage.rawValue
      meaning = stage.meaning
      crossesClocks = stage.crossesClocks
      isSum = LatencyStage.sums.contains(stage)
      count = summary?.count ?? 0
      (min, p50, p90) = (summary?.min, summary?.p50, summary?.p90)
      (p99, max, mean) = (summary?.p99, summary?.max, summary?.mean)
      buckets = summary?.buckets.map { [$0.upper, Int64($0.count)] } ?? []
    }
  }

  let presses: Int
  let since: Int64
  let stages: [Stage]
  /// The last press that was acked; without `lit` where its light has not said so yet, or did so
  /// for one before. Nil before the first.
  let last: PressStages?
}
