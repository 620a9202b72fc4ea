public import FobBase
public import Judge

/// One thing that the judge saw.
public struct Sighting: Sendable {
  public let at: Instant
  public let what: Observation
}
