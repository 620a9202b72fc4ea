import CortexM

/// UART2: the host's orders, ten bytes each, and what answers them (LOCKSTEP.md).
enum GrantPort {
  static let uart = UART(0x4000_E000)
  static let orderSize = 10

  // Touched in the interrupt, and else only where interrupts are masked.
  fileprivate static var received: ByteQueue<32> { ByteQueue(in: grant_memory()) }

  static func start() {
    uart.start(divisor: 1_736)
    Interrupts.enable(33)
  }

  /// The next order; sleeps until all of it has come.
  static func next() -> Order {
    Interrupts.wait { received.count >= orderSize }
    return Interrupts.without {
      Order(
        isBoot: received.removeFirst() == UInt8(ascii: "B"), first: half(), second: half(),
        third: half(), isClosed: received.removeFirst() != 0, millivolts: half())
    }
  }

  static func sayReady() { send(0x05) }

  /// All of the granted time is over, and so many bytes went to the host since the last mark.
  static func sayDone(_ sent: UInt16) {
    send(0x06)
    send(UInt8(truncatingIfNeeded: sent))
    send(UInt8(truncatingIfNeeded: sent >> 8))
  }

  private static func half() -> UInt16 {
    UInt16(received.removeFirst()) | UInt16(received.removeFirst()) << 8
  }

  private static func send(_ byte: UInt8) {
    while !uart.canSend {}
    uart.send(byte)
  }
}

@c(grantInterrupt)
public func grantInterrupt() {
  GrantPort.uart.clearInterrupts()
  while GrantPort.uart.hasReceived { GrantPort.received.append(GrantPort.uart.receive()) }
}
