/// Which press of the schedule each sample belongs to.
enum PressMatching {
  /// How far before its due time the clocks may show a press, µs.
  static let tolerance: Int64 = 5_000

  /// Gives each sample the last due time that is not later than its first edge (or, where that is
  /// not known, than its read) and that no later sample has a better right to.
  /// - Parameters:
  ///   - samples: of one keychain.
  ///   - dues: of the presses made on it, in order.
  /// - Returns: the samples that belong to a press, in the order of the presses.
  static func match(_ samples: [LatencySample], to dues: [Int64]) -> [LatencySample] {
    let seen = samples.compactMap { sample in
      (sample.edge ?? sample.read).map { (at: $0, sample: sample) }
    }.sorted { $0.at < $1.at }
    var matched: [LatencySample] = []
    var next = 0
    for (at, sample) in seen {
      // Presses that were passed over are lost: nothing of them came before the one after.
      while next + 1 < dues.count, dues[next + 1] <= at + tolerance { next += 1 }
      guard next < dues.count, dues[next] <= at + tolerance else { continue }
      var sample = sample
      sample.due = dues[next]
      matched.append(sample)
      next += 1
    }
    return matched
  }
}
