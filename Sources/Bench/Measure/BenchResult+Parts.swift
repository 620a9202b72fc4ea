extension BenchResult {
  /// One run of parts that were made one after the other, each with its own rig: each is a block,
  /// even where nothing was measured in it.
  ///
  /// - Parameters:
  ///   - parts: at least one; what they have in common is taken from the first.
  ///   - pacingLimit: of the whole, µs.
  public init(parts: [BenchResult], pacingLimit: Int64) {
    self = parts[0]
    duration = parts.reduce(0) { $0 + $1.duration }
    warmUp = parts.reduce(0) { $0 + $1.warmUp }
    lost = parts.reduce(0) { $0 + $1.lost }
    unseen = parts.reduce(0) { $0 + $1.unseen }
    environment.loadAfter = parts[parts.count - 1].environment.loadAfter
    blocks = parts.map { part in
      Block(
        samples: part.blocks.flatMap(\.samples), floor: part.blocks.flatMap(\.floor),
        flushes: part.blocks.flatMap(\.flushes))
    }
    pacing = Pacing(of: blocks.flatMap(\.samples), limit: pacingLimit)
  }
}
