/// What a stage is measured by, so that a machine in another state is not taken for another
/// program.
///
/// A stage holds some wake-ups of a thread, and a wake-up costs what the floor costs: 15 µs on a
/// busy machine, 90 on an idle one. How many it holds is not known, so a change counts only where
/// it stands at both ends: with none of the stage moving with the floor, and with as much as may.
enum Normalization: CaseIterable {
  /// As measured.
  case microseconds
  /// What of it may be floor, brought to the floor that both runs had on average: of a stage of
  /// up to one and a half all of it, which is the ratio to the floor.
  case floor
  /// The same with the disk's own flush, of which a durable commit holds one or two.
  case flush

  /// Most floors that a stage holds, and most flushes.
  private static let floors = 1.5
  private static let flushes = 2.0

  /// Both runs by this measure, µs; nil where it was not measured or says nothing of the stage.
  func values(
    _ stage: LatencyStage, _ old: StageGroups, _ new: StageGroups
  ) -> (old: [Double], new: [Double])? {
    switch self {
    case .microseconds: return (old.groups.map(\.stage), new.groups.map(\.stage))
    case .floor: return scaled(old, new, share: Self.floors, by: \.floor)
    case .flush:
      guard stage.parts.contains(.durable) || stage == .durableWork else { return nil }
      return scaled(old, new, share: Self.flushes, by: \.flush)
    }
  }

  private func scaled(
    _ old: StageGroups, _ new: StageGroups, share: Double,
    by measure: KeyPath<StageGroups.Group, Double?>
  ) -> (old: [Double], new: [Double])? {
    let (before, after) = (
      old.groups.compactMap { $0[keyPath: measure] }, new.groups.compactMap { $0[keyPath: measure] }
    )
    guard before.count == old.groups.count, after.count == new.groups.count,
      (before + after).allSatisfy({ $0 > 0 })
    else { return nil }
    // One floor a run: on a busy machine those of a second say less of that second's presses than
    // they disturb.
    let (first, second) = (RankTest.median(before), RankTest.median(after))
    func bring(_ groups: StageGroups, _ measured: Double) -> [Double] {
      groups.groups.map { group in
        let moving = min(group.stage, share * measured)
        return group.stage - moving + moving * (first + second) / 2 / measured
      }
    }
    return (bring(old, first), bring(new, second))
  }
}
