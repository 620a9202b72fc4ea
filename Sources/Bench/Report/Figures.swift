/// The published figures of one distribution, microseconds.
///
/// A tail is nil where fewer than three durations are expected beyond it: so few say nothing.
public struct Figures: Codable, Equatable, Sendable {
  /// How many durations were counted.
  public var count: Int
  /// How many of them two clocks made negative.
  public var negative: Int
  /// The smallest duration; two clocks can make it negative.
  public var min: Double
  /// Half of the durations are at or below it.
  public var median: Double
  /// Nil for fewer than 30 durations.
  public var p90: Double?
  /// Nil for fewer than 300 durations.
  public var p99: Double?
  /// Nil for fewer than 3,000 durations.
  public var p999: Double?
  /// The largest duration.
  public var max: Double
  /// The mean of all durations, with the negative ones as they are.
  public var mean: Double

  /// How many durations a percentile needs before it is published.
  public static func needed(for percentile: Double) -> Int {
    Int((3 * 100 / (100 - percentile)).rounded())
  }

  /// Nil for no durations.
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

  /// Rounded to a tenth.
  private static func microseconds(_ nanoseconds: Double) -> Double {
    (nanoseconds / 100).rounded() / 10
  }
}

/// The figures of one stage or sum.
public struct StageFigures: Codable, Equatable, Sendable {
  /// A stage, or a sum of stages.
  public var stage: LatencyStage
  /// From stamp to stamp.
  public var plain: Figures
  /// For a sum that begins with the press: counted from when the press was due, so that a press
  /// made late by the one before it counts in full (coordinated omission). Nil for every other
  /// stage, and for presses by hand.
  public var corrected: Figures?
  /// ± µs between the two clocks of the stage, the largest of the run; nil for a stage on one
  /// clock.
  public var uncertainty: Double?
  /// The median divided by the floor's median of the same run; nil where no floor was measured.
  public var toFloor: Double?
}

/// The figures of a run, computed from its blocks.
public struct BenchSummary: Codable, Equatable, Sendable {
  /// Stages in order, each followed by the stages inside of it, then sums. A stage without a single
  /// duration is absent.
  public var stages: [StageFigures]
  /// The harness's floor: one way through a pty, nothing else done; nil where not measured.
  public var floor: Figures?
  /// The disk's floor: a page made durable, nothing else done; nil where not measured.
  public var flush: Figures?
  /// Presses that are counted.
  public var presses: Int
  /// Presses without a decision; they are not in `presses`.
  public var lost: Int

  /// Computes all figures from the samples of all blocks.
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

  /// Nil where the run has no duration of the stage.
  public subscript(stage: LatencyStage) -> StageFigures? { stages.first { $0.stage == stage } }
}

extension Distribution {
  /// Durations from when each press was due. Where that is unknown and the rate is known, the
  /// presses that waiting left out are filled in. Nil where neither is known, and for stages that
  /// do not begin with the press: an open loop makes the later presses however long one takes, so
  /// nothing is left out there.
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
