/// One stage of one run, as the test sees it: consecutive blocks joined into a few groups, each
/// with the usual time of the stage and of both floors, µs.
///
/// Presses are no independent witnesses: the machine disturbs all presses of one second alike.
/// Neighbouring blocks are alike, too, so they are joined until few are left.
struct StageGroups {
  /// The most groups.
  static let atMost = 12
  /// The fewest groups: fewer show nothing after Holm's correction over all stages.
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

  /// The mean from the first decile to the fourth: the time of a press that nothing disturbs.
  /// Disturbances only ever add time, on a busy machine to a third of all presses, and they move
  /// medians from second to second by more than the changes looked for. A change of the program
  /// moves these values, too. Unlike a quantile of a few stamps, the mean is not bound to whole
  /// microseconds. Nil for no values.
  static func usual(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let first = sorted.count / 10
    let part = sorted[first..<max(first + 1, sorted.count * 4 / 10)]
    return part.reduce(0, +) / Double(part.count)
  }
}
