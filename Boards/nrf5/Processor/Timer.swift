/// A TIMER that counts microseconds.
enum Timer {
  /// - Parameter bits: BITMODE, 0 for 16 bits and 3 for 32.
  static func start(_ base: UInt, bits: UInt32) {
    Register(base + 0x508).value = bits
    // PRESCALER: 16 MHz by 2 to the 4th.
    Register(base + 0x510).value = 4
    Register(base + 0x00C).value = 1
    Register(base + 0x000).value = 1
  }
}
