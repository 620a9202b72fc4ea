extension BenchResult {
  /// Stamps and times within thirty years of zero: sums of a few, in nanoseconds, fit an Int64.
  private static let range: ClosedRange<Int64> = -(1 << 50)...(1 << 50)

  /// What no run can have measured; nil of one that can be computed with.
  var fault: String? {
    if let rate, !(rate > 0 && rate < 1e9) { return "rate is \(rate)" }
    if !(0..<1e9 ~= duration) { return "duration is \(duration)" }
    for (name, count) in [("warmUp", warmUp), ("lost", lost), ("unseen", unseen)]
    where !(0...1 << 40 ~= count) { return "\(name) is \(count)" }
    if !(0...1 << 20 ~= environment.processors) {
      return "environment.processors is \(environment.processors)"
    }
    for load in [environment.loadBefore, environment.loadAfter] where !(0..<1e9 ~= load) {
      return "environment has a load of \(load)"
    }
    let times =
      [environment.flushMedian, environment.flushP99].compactMap { $0 }
      + (pacing.map { [$0.median, $0.p99, $0.largest, $0.limit] } ?? [])
    if let wrong = times.first(where: { !Self.range.contains($0) }) {
      return "a time of \(wrong) is in it"
    }
    for (index, block) in blocks.enumerated() {
      let stamps = block.samples.lazy.flatMap(\.stamps)
      if let wrong = (block.floor + block.flushes).first(where: { !Self.range.contains($0) })
        ?? stamps.first(where: { !Self.range.contains($0) })
      {
        return "blocks.\(index) has a time of \(wrong)"
      }
    }
    return nil
  }
}

extension LatencySample {
  fileprivate var stamps: [Int64] {
    [due, edge, stored, written, read, decided, durable, acked, lit, committing, uncertainty]
      .compactMap { $0 }
  }
}
