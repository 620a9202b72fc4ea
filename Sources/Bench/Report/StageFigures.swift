/// The figures of one stage or sum.
public struct StageFigures: Codable, Equatable, Sendable {
  public var stage: LatencyStage
  /// As stamped.
  public var plain: Figures
  /// Of a sum that begins with the press: counted from when the press was due, so that a press
  /// that came late because of the one before it is not forgiven (coordinated omission). Nil for
  /// every other stage, and for presses by hand.
  public var corrected: Figures?
  /// ± µs, the largest of the run, of a stage between two clocks; nil within one.
  public var uncertainty: Double?
  /// Median to the floor's median of the same run.
  public var toFloor: Double?
}
