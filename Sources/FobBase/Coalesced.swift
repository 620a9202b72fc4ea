/// The latest of what is held back, and for how many it stands.
public struct Coalesced<Value: Sendable>: Sendable {
  private var pacer: RateLimiter
  private var latest: Value?

  public init(_ pace: RateLimit) { pacer = RateLimiter(pace) }

  /// - Returns: what passes now; nil: it is held back.
  public mutating func take(_ value: Value, at now: Instant) -> (value: Value, count: UInt32)? {
    guard let count = pacer.take(at: now) else {
      latest = value
      return nil
    }
    latest = nil
    return (value, count)
  }

  /// What was held back, once its time has come.
  public mutating func takeHeld(at now: Instant) -> (value: Value, count: UInt32)? {
    guard let count = pacer.takeHeld(at: now), let value = latest else { return nil }
    latest = nil
    return (value, count)
  }

  /// When `takeHeld` is next worth a call.
  public var due: Instant? { pacer.due }
}
