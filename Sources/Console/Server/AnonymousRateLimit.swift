import FobBase

/// When the requests of those who have shown no token begin: one after the other, so many in a
/// second of all together. However many they are, nobody else's wait behind them. Pure.
struct AnonymousRateLimit {
  let every: Interval
  /// When the next may begin.
  private var next = Instant(microseconds: 0)

  init(every: Interval) { self.every = every }

  /// - Returns: how long one more request waits.
  mutating func take(at now: Instant) -> Interval {
    let begin = max(now, next)
    next = begin + every
    return begin - now
  }

  /// One that waited has left: it keeps nobody waiting.
  mutating func giveBack() { next = next - every }
}
