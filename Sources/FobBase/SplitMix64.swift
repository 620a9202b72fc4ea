/// SplitMix64 (Steele, Lea and Flood 2014): small, and good enough for simulated bounce and seeded
/// worlds. Not for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  /// The state grows by this with each number.
  package static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Two generators with one state give the same numbers from there on.
  package var state: UInt64

  /// Any state will do, 0 too.
  package init(state: UInt64) { self.state = state }

  /// 64 random bits; all 2^64 values come once in each period.
  package mutating func next() -> UInt64 {
    state &+= Self.step
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
