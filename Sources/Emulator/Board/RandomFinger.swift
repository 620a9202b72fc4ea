public import FobBase
import Glibc

/// Presses at random times, as in a crowd: a Poisson process.
public struct RandomPresses: Hashable, Sendable {
  /// Mean time between the beginnings of two presses; 1 ms to a day.
  public var every: Interval
  /// The same seed makes the same presses.
  public var seed: UInt64

  /// A mean time outside 1 ms to a day becomes the nearest bound.
  public init(every: Interval, seed: UInt64) {
    self.every = min(max(every, .milliseconds(1)), .seconds(86_400))
    self.seed = seed
  }
}

/// A finger that presses at random: the times between presses are exponential (a Poisson process),
/// each hold lasts 40 to 250 ms. The same seed makes the same presses.
struct RandomFinger {
  private let mean: Double
  private var generator: SplitMix64
  private(set) var next: Instant

  init(_ presses: RandomPresses, at now: Instant) {
    mean = Double(presses.every.microseconds)
    generator = SplitMix64(state: presses.seed)
    next = now
    next = now + pause()
  }

  /// The hold of the press that is due by `now`; nil if none is. It draws the next one.
  mutating func take(upTo now: Instant) -> Interval? {
    guard next <= now else { return nil }
    // Counted from now and not from the due time: a machine that was asleep does not make up for
    // presses.
    next = now + pause()
    return .milliseconds(.random(in: 40...250, using: &generator))
  }

  private mutating func pause() -> Interval {
    let share = Double.random(in: .leastNonzeroMagnitude..<1, using: &generator)
    return .microseconds(max(1_000, Int64(-log(share) * mean)))
  }
}
