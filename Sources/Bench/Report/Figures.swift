/// What is published of one distribution, microseconds.
///
/// A tail is nil where fewer than three durations are expected beyond it: so few say nothing.
public struct Figures: Codable, Equatable, Sendable {
  /// Durations counted, and how many of them two clocks made negative.
  public var count: Int
  public var negative: Int
  public var min: Double
  public var median: Double
  public var p90: Double?
  public var p99: Double?
  public var p999: Double?
  public var max: Double
  public var mean: Double

  /// How many durations a percentile needs before it is published.
  public static func needed(for percentile: Double) -> Int {
    Int((3 * 100 / (100 - percentile)).rounded())
  }

  /// Nil of nothing.
  init?(_ distribution: Distribution) {
    guard distribution.count > 0 else { return nil }
    func value(_ percentile: Double) -> Double {
      Self.microseconds(Double(distribution.value(at: percentile)))
    }
    func tail(_ percentile: Double) -> Double? {
      distribution.count >= Self.needed(for: percentile) ? value(percentile) : nil
    }
    count = distribution.count
    negative = distribution.negativeCount
    min = Self.microseconds(Double(distribution.smallest))
    median = value(50)
    (p90, p99, p999) = (tail(90), tail(99), tail(99.9))
    max = Self.microseconds(Double(distribution.largest))
    mean = Self.microseconds(distribution.mean)
  }

  /// To a tenth.
  private static func microseconds(_ nanoseconds: Double) -> Double {
    (nanoseconds / 100).rounded() / 10
  }
}

/// The figures of one stage or sum.
public struct StageFigures: Codable, Equatable, Sendable {
  public var stage: LatencyStage
  /// As stamped.
  public var plain: Figures
  /// Of a sum that begins with the press: counted from when the press was due, so that a press
  /// that came late because of the one before it is not forgiven (coordinated omission). Nil for
  /// every other stage, and for presses by hand.
  public var corrected: Figures?
  /// ± µs, the largest of the run, of a stage between two clocks; nil within one.
  public var uncertainty: Double?
  /// Median to the floor's median of the same run.
  public var toFloor: Double?
}

/// What a run says in figures, computed from its blocks.
public struct BenchSummary: Codable, Equatable, Sendable {
  /// Stages in order, each before what is known of its inside, then sums; those without a single
  /// duration are absent.
  public var stages: [StageFigures]
  /// The harness's own: one way through a pty, nothing else done.
  public var floor: Figures?
  /// The disk's own: a page made durable, nothing else done.
  public var flush: Figures?
  /// Presses counted and lost.
  public var presses: Int
  public var lost: Int

  public init(_ result: BenchResult) {
    let samples = result.blocks.flatMap(\.samples)
    floor = Figures(Distribution(tenths: result.blocks.flatMap(\.floor)))
    flush = Figures(Distribution(tenths: result.blocks.flatMap(\.flushes)))
    (presses, lost) = (samples.count, result.lost)
    stages = (LatencyStage.single + LatencyStage.sums).compactMap { [floor] stage in
      let plain = Distribution(microseconds: samples.compactMap { $0.duration(of: stage) })
      guard let figures = Figures(plain) else { return nil }
      let uncertainty = stage.crossesClocks ? samples.compactMap(\.uncertainty).max() : nil
      return StageFigures(
        stage: stage, plain: figures,
        corrected: Distribution.corrected(stage, of: samples, rate: result.rate)
          .flatMap(Figures.init),
        uncertainty: uncertainty.map(Double.init),
        toFloor: floor.flatMap { floor in
          floor.median > 0 ? (figures.median / floor.median * 1_000).rounded() / 1_000 : nil
        })
    }
  }

  public subscript(stage: LatencyStage) -> StageFigures? { stages.first { $0.stage == stage } }
}

extension Distribution {
  /// From when each press was due; where that is unknown and the rate known, with the presses that
  /// waiting left out filled in. Nil where neither is, and for what does not begin with the press:
  /// an open loop makes the later presses however long one takes, so nothing is left out there.
  static func corrected(
    _ stage: LatencyStage, of samples: [LatencySample], rate: Double?
  ) -> Distribution? {
    guard stage.beginsWithPress else { return nil }
    var distribution = Distribution()
    for sample in samples {
      guard let duration = sample.duration(of: stage) else { continue }
      if let due = sample.due, let edge = sample.edge {
        distribution.add((duration + edge - due) * 1_000)
      } else if let rate, rate > 0.001 {
        distribution.add(duration * 1_000, every: Int64(1_000_000_000 / rate))
      } else {
        return nil
      }
    }
    return distribution
  }
}
