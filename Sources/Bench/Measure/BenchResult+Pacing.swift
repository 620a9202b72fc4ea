extension BenchResult.Pacing {
  /// Of samples that were paced and whose first edge is known; nil where there is none.
  /// - Parameter limit: µs.
  init?(of samples: [LatencySample], limit: Int64) {
    let errors = samples.compactMap { sample -> Int64? in
      guard let due = sample.due, let edge = sample.edge else { return nil }
      return abs(edge - due)
    }.sorted()
    guard let largest = errors.last else { return nil }
    func quantile(_ q: Double) -> Int64 {
      errors[min(errors.count - 1, Int(q * Double(errors.count)))]
    }
    self.init(
      median: quantile(0.5), p99: quantile(0.99), largest: largest, limit: limit)
  }

  /// The presses came too late, or too early, for their figures to count.
  public var isRefused: Bool { p99 > limit }
}
