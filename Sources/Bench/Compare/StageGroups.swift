/// A stage of one run as the test sees it: consecutive blocks joined into a few groups, of each
/// the middle of the stage and of both floors, µs.
///
/// Presses are no independent witnesses: what the machine does in one second it does to all of
/// them. Blocks that follow each other are alike, too, so they are joined until few are left.
struct StageGroups {
  /// As many are left, or fewer.
  static let atMost = 12
  /// Fewer cannot show anything after Holm's correction over all stages.
  static let atLeast = 6

  struct Group: Equatable {
    var stage: Double
    var floor: Double?
    var flush: Double?
  }

  let groups: [Group]

  init(_ stage: LatencyStage, of result: BenchResult) {
    let blocks = result.blocks.filter { block in
      block.samples.contains { $0.duration(of: stage) != nil }
    }
    let count = min(Self.atMost, blocks.count)
    groups = (0..<count).map { group in
      let joined = blocks[group * blocks.count / count..<(group + 1) * blocks.count / count]
      return Group(
        stage: Self.middle(
          joined.flatMap(\.samples).compactMap { $0.duration(of: stage).map(Double.init) }) ?? 0,
        floor: Self.middle(joined.flatMap(\.floor).map { Double($0) / 10 }),
        flush: Self.middle(joined.flatMap(\.flushes).map { Double($0) / 10 }))
    }
  }

  /// The mean of the middle half: nearly as deaf to tails as a median, and not held to the whole
  /// microseconds of a few stamps. Nil of nothing.
  static func middle(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let quarter = sorted.count / 4
    let half = sorted[quarter..<sorted.count - quarter]
    return half.reduce(0, +) / Double(half.count)
  }
}
