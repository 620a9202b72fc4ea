import WireProtocol

/// Frames of 16 to 64 bytes (body and CRC) one after another, as a line delivers them.
struct FrameSet {
  let count: Int
  private(set) var stream: [UInt8] = []
  /// Where each frame ends in the stream, behind its delimiter.
  private(set) var ends: [UInt32] = []
  private(set) var bodies: [UInt8] = []
  private(set) var bodyEnds: [UInt32] = []

  /// - Parameter zeros: share of the body's bytes that are made zero.
  init(_ count: Int, zeros: Double) {
    self.count = count
    var random = SplitMix64(seed: 1)
    for _ in 0..<count {
      let body = (0..<Int.random(in: 12...60, using: &random)).map { _ in
        Double.random(in: 0..<1, using: &random) < zeros
          ? 0 : UInt8.random(in: 0...255, using: &random)
      }
      body.withUnsafeBytes { raw in
        WireFrame(FrameBody(raw: raw)).withBytes { stream += $0 }
      }
      ends.append(UInt32(stream.count))
      bodies += body
      bodyEnds.append(UInt32(bodies.count))
    }
  }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
