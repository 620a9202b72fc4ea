/// A stage of one run as the test sees it: consecutive blocks joined into a few groups, of each
/// what the stage and both floors usually take, µs.
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
        stage: Self.usual(
          joined.flatMap(\.samples).compactMap { $0.duration(of: stage).map(Double.init) }) ?? 0,
        floor: Self.usual(joined.flatMap(\.floor).map { Double($0) / 10 }),
        flush: Self.usual(joined.flatMap(\.flushes).map { Double($0) / 10 }))
    }
  }

  /// The mean between the first decile and the fourth: what a press takes while nothing comes
  /// between. What else a machine does only ever adds, and on a busy one to a third of all presses,
  /// which moves medians from second to second by more than what is looked for; what a change of
  /// the program adds, it adds to these, too. Not held to whole microseconds, as a quantile of a
  /// few stamps would be. Nil of nothing.
  static func usual(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let first = sorted.count / 10
    let part = sorted[first..<max(first + 1, sorted.count * 4 / 10)]
    return part.reduce(0, +) / Double(part.count)
  }
}
