/// The same numbers for the same seed (splitmix64, Steele, Lea and Flood 2014).
struct SeededNumbers {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  /// 0 up to `limit`, which is at least 1.
  mutating func next(below limit: Int64) -> Int64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return Int64((z ^ z >> 31) % UInt64(limit))
  }
}
