public import FobBase

/// Bytes that were no frames, summed up: a log gets one line for an episode, not thousands.
public struct NoiseSummary: Equatable, Sendable {
  public var damagedFrames: UInt32 = 0
  /// Frames of a kind that only a host sends: our own echo.
  public var echoedFrames: UInt32 = 0
  public var bytes: UInt64 = 0
}

/// Gathers an episode of noise, which ends after a quiet second, and is told every ten while it
/// lasts.
struct LineNoise: Sendable {
  private var summary = NoiseSummary()
  /// Bytes that came since the last whole frame.
  var sinceFrame: UInt64 = 0
  private var began: Instant?
  private var last: Instant?

  mutating func damaged(at now: Instant) {
    summary.damagedFrames &+= 1
    heard(at: now)
  }

  mutating func echoed(at now: Instant) {
    summary.echoedFrames &+= 1
    heard(at: now)
  }

  private mutating func heard(at now: Instant) {
    summary.bytes &+= sinceFrame
    sinceFrame = 0
    if began == nil { began = now }
    last = now
  }

  var due: Instant? {
    guard let began, let last else { return nil }
    return min(last + .seconds(1), began + .seconds(10))
  }

  mutating func take(at now: Instant) -> NoiseSummary? {
    guard let due, now >= due else { return nil }
    defer {
      summary = NoiseSummary()
      began = nil
      last = nil
    }
    return summary
  }
}

extension HostLink {
  /// One summary of an episode of noise that is over, or has lasted ten seconds.
  public mutating func noiseSummary(at now: Instant) -> NoiseSummary? { noise.take(at: now) }
}
