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
