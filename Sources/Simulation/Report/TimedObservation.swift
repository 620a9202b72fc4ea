public import FobBase
public import Judge

/// One thing that the judge saw.
public struct TimedObservation: Sendable {
  public let at: Instant
  public let what: Observation
}
