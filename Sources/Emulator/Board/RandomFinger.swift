public import FobBase
import Glibc

/// Presses that come by themselves, as in a crowd: at times that nobody can foretell.
public struct RandomPresses: Hashable, Sendable {
  /// Between the beginnings of two presses, in the mean; 1 ms to a day.
  public var every: Interval
  public var seed: UInt64

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

  /// How long the press lasts that has become due by `now`; nil if none has.
  mutating func take(upTo now: Instant) -> Interval? {
    guard next <= now else { return nil }
    // From now and not from when it was due: a machine that was asleep owes no presses.
    next = now + pause()
    return .milliseconds(.random(in: 40...250, using: &generator))
  }

  private mutating func pause() -> Interval {
    let share = Double.random(in: .leastNonzeroMagnitude..<1, using: &generator)
    return .microseconds(max(1_000, Int64(-log(share) * mean)))
  }
}
