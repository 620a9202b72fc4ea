import FobBase

/// A fault in force on one direction: which byte it hits next, and how often it has struck.
struct SetFault: Sendable {
  let fault: WireFault
  private(set) var struck: UInt64 = 0
  private var random: SplitMix64
  private var passed: Int64 = 0

  init(_ fault: WireFault) {
    self.fault = fault
    random = SplitMix64(state: fault.seed)
  }

  /// It will strike no more.
  var isOver: Bool {
    guard case .at(let first, let count) = fault.bytes else { return false }
    return passed >= first && passed - first >= count
  }

  /// Whether it hits the next byte.
  mutating func hitsNext() -> Bool {
    defer { passed &+= 1 }
    switch fault.bytes {
    case .at(let first, let count): return passed >= first && passed - first < count
    case .rate(let rate):
      // The upper 53 bits, as a share of one.
      return Double(random.next() >> 11) * 0x1p-53 < rate
    }
  }

  mutating func strike() { struck &+= 1 }

  /// The bit that is turned over, as a mask.
  mutating func bit() -> UInt8 { 1 << ((fault.value ?? draw()) & 7) }

  /// Every fourth is 00, which a receiver takes for the end of a frame.
  mutating func byte() -> UInt8 {
    if let value = fault.value { return value }
    let drawn = draw()
    return drawn < 64 ? 0 : draw()
  }

  private mutating func draw() -> UInt8 { UInt8(truncatingIfNeeded: random.next() >> 32) }
}
