import Judge

@testable import Simulation

extension Outcome {
  /// One that no world has made.
  init(
    of schedule: Schedule, violations: [Violation] = [], hash: UInt64 = 0,
    deviceSeconds: Double = 1, coverage: Coverage = Coverage(), journal: [TimedObservation] = []
  ) {
    self.init(
      schedule: schedule, violations: violations, excused: 0, hash: hash,
      deviceSeconds: deviceSeconds, coverage: coverage, journal: journal)
  }
}
