public import Judge

extension Schedule {
  /// The shortest schedule found whose world breaks the same rule first.
  /// - Parameter violation: the first of this schedule.
  /// - Returns: this schedule, where none that is shorter was found; and how many were played.
  public func shrunk(
    keeping violation: Violation, mostPlays: Int = 2_000
  ) -> (schedule: Schedule, plays: Int) {
    func breaks(_ numbers: [Int]) -> Bool {
      keeping(Set(numbers)).play().violations.first?.rule == violation.rule
    }
    var shrinker = Shrinker(mostPlays: mostPlays)
    // What comes later than the violation was never done.
    let done = acts.filter { $0.at <= violation.at }.map(\.number)
    let kept = shrinker.shrink(done, while: breaks)
    return (keeping(Set(kept)), shrinker.plays)
  }
}
