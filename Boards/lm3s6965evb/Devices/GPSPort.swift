import CortexM

/// UART1, the GPS receiver at 9,600 baud.
enum GPSPort {
  static let isPresent = true
  static let interrupt: UInt = 6
  static let uart = UART(0x4000_D000)

  // Touched in the interrupt, and else only where interrupts are masked.
  private static var received: ByteQueue<64> { ByteQueue(in: gps_memory()) }

  /// Bytes that wait.
  static var count: Int { received.count }

  static func start() {
    uart.start(divisor: 20_833)
    Interrupts.enable(interrupt)
  }

  static func next() -> UInt8? {
    Interrupts.without {
      if received.isEmpty { take() }
      return received.isEmpty ? nil : received.removeFirst()
    }
  }

  /// Takes what the UART holds, and wants to hear of more. What a full queue has left in it nobody
  /// hears of: its interrupt was cleared, and the next is that of a UART that was empty.
  static func take() {
    while uart.hasReceived, !received.isFull { received.append(uart.receive()) }
    uart.want(received.isFull ? 0 : UART.receiveInterrupts)
  }
}

@c(gpsInterrupt)
public func gpsInterrupt() {
  GPSPort.uart.clearInterrupts()
  GPSPort.take()
}
