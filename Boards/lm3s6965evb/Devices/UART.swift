/// A PL011 of the LM3S6965, 8N1, with its FIFOs.
struct UART {
  private let base: UInt

  static let receiveInterrupts: UInt32 = 0x50
  static let transmitInterrupt: UInt32 = 0x20

  @inline(__always)
  init(_ base: UInt) { self.base = base }

  @inline(__always)
  private func register(_ offset: UInt) -> Register { Register(base + offset) }

  /// - Parameter divisor: the system clock over 16 times the baud rate, in 1/64.
  func start(divisor: UInt32) {
    register(0x24).value = divisor / 64
    register(0x28).value = divisor % 64
    register(0x2C).value = 0x70
    register(0x30).value = 0x301
    register(0x38).value = Self.receiveInterrupts
  }

  @inline(__always)
  var hasReceived: Bool { register(0x18).value & 0x10 == 0 }
  @inline(__always)
  var canSend: Bool { register(0x18).value & 0x20 == 0 }

  @inline(__always)
  func receive() -> UInt8 { UInt8(truncatingIfNeeded: register(0).value) }
  @inline(__always)
  func send(_ byte: UInt8) { register(0).value = UInt32(byte) }

  /// Interrupts wanted from now on, of the two sets above.
  @inline(__always)
  func want(_ interrupts: UInt32) { register(0x38).value = interrupts }
  @inline(__always)
  var wanted: UInt32 { register(0x38).value }
  @inline(__always)
  func clearInterrupts() { register(0x44).value = 0x7F0 }
}
