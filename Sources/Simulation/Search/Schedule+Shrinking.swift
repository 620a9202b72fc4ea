public import Judge

extension Schedule {
  /// The shortest schedule found whose world breaks the same rule first.
  /// - Parameters:
  ///   - violation: the first of this schedule.
  ///   - mostPlays: so many worlds are played at the most.
  ///   - play: how a world is played.
  /// - Returns: this schedule, where none that is shorter was found; and how many were played.
  public func shrunk(
    keeping violation: Violation, maxPlays: Int = 2_000,
    by play: (Schedule) -> Outcome = { $0.play() }
  ) -> (schedule: Schedule, plays: Int) {
    func breaks(_ numbers: [Int]) -> Bool {
      play(keeping(Set(numbers))).violations.first?.rule == violation.rule
    }
    var shrinker = Shrinker(maxPlays: maxPlays)
    // What comes later than the violation was never done.
    let done = acts.filter { $0.at <= violation.at }.map(\.number)
    let kept = shrinker.shrink(done, while: breaks)
    return (keeping(Set(kept)), shrinker.plays)
  }
}
