import Emulator
import FobBase

/// Seeds of their own for the parts of a world, so that one part can change without the others.
enum SplitSeed {
  /// What the generator of `seed` gives after `part` numbers.
  static func seed(_ seed: UInt64, _ part: UInt64) -> UInt64 {
    var random = SplitMix64(state: seed &+ part &* SplitMix64.step)
    return random.next()
  }
}
