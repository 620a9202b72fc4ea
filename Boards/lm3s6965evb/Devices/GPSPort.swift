/// UART1, the GPS receiver at 9,600 baud.
enum GPSPort {
  static let interrupt: UInt = 6
  static let uart = UART(0x4000_D000)

  // Touched in the interrupt, and else only where interrupts are masked.
  nonisolated(unsafe) static var received = ByteQueue<64>()

  static func start() {
    uart.start(divisor: 20_833)
    Interrupts.enable(interrupt)
  }

  static func next() -> UInt8? {
    Interrupts.without {
      guard received.isEmpty else { return received.removeFirst() }
      uart.want(UART.receiveInterrupts)
      return nil
    }
  }
}

@c(gpsInterrupt)
public func gpsInterrupt() {
  let uart = GPSPort.uart
  uart.clearInterrupts()
  while uart.hasReceived, !GPSPort.received.isFull { GPSPort.received.append(uart.receive()) }
  if GPSPort.received.isFull { uart.want(0) }
}
