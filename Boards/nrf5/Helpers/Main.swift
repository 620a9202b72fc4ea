/// Not a keychain: says what products, quotients and remainders a Cortex-M0 makes of numbers
/// that are the same each time. EmulatorTests/QEMU/QEMUHelperTests.swift has a host make them.
@c(runKeychain)
public func runKeychain() {
  SystemControl.start()
  Pins.start()
  LinkPort.start()
  var numbers = Numbers()
  for _ in 0..<Numbers.rounds {
    let a = numbers.next()
    let b = numbers.next()
    say(a &* b)
    let divisor = UInt32(truncatingIfNeeded: b)
    let dividend = UInt32(truncatingIfNeeded: a)
    say(divisor == 0 ? 0 : UInt64(dividend / divisor) << 32 | UInt64(dividend % divisor))
  }
  while true {}
}

/// Numbers of all sizes: SplitMix64, shifted by what its own upper bits say.
private struct Numbers {
  static let rounds = 2_000
  private var state: UInt64 = 0

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return mixed >> (mixed & 63)
  }
}

private func say(_ number: UInt64) {
  for shift in 0..<8 {
    let byte = UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))
    withUnsafeBytes(of: byte) { while LinkPort.send($0, from: 0) == 0 { LinkPort.tick() } }
  }
}
