/// Seeds of their own for the parts of a world, so that one part can change without the others.
enum SplitSeed {
  /// SplitMix64's finisher over both.
  static func seed(_ seed: UInt64, _ part: UInt64) -> UInt64 {
    var z = seed &+ (part &+ 1) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
