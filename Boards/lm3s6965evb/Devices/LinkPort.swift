import CortexM
import FobBase

/// UART0, the link to the host at 115,200 baud. What comes in waits in a queue; what goes out waits
/// in the keychain's own ring, and an interrupt says when the UART takes more of it.
enum LinkPort {
  static let interrupt: UInt = 5
  static let uart = UART(0x4000_C000)

  // Touched in the interrupt, and else only where interrupts are masked.
  static var received: ByteQueue<256> { ByteQueue(in: link_in_memory()) }
  // Set in the interrupt, and else only where interrupts are masked.
  nonisolated(unsafe) static var takesMore = false

  static func start() {
    uart.start(divisor: 1_736)
    Interrupts.enable(interrupt)
  }

  static func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    Interrupts.without {
      var count = 0
      while count < buffer.count, !received.isEmpty {
        buffer[count] = received.removeFirst()
        count += 1
      }
      take()
      return count
    }
  }

  /// As `GPSPort.take()`: a full queue leaves the rest in the UART until the main loop has made
  /// room.
  static func take() {
    while uart.hasReceived, !received.isFull { received.append(uart.receive()) }
    let others = uart.wanted & ~UART.receiveInterrupts
    uart.want(received.isFull ? others : others | UART.receiveInterrupts)
  }

  static func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = send(bytes, from: 0)
    guard count < bytes.count else { return count }
    Interrupts.without {
      takesMore = false
      uart.want(uart.wanted | UART.transmitInterrupt)
    }
    return count
  }

  /// The count of the bytes from `start` on that the UART takes now.
  static func send(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var at = start
    while at < bytes.count, uart.canSend {
      uart.send(bytes[at])
      at += 1
    }
    return at - start
  }
}

@c(linkInterrupt)
public func linkInterrupt() {
  let uart = LinkPort.uart
  uart.clearInterrupts()
  if uart.canSend {
    LinkPort.takesMore = true
    uart.want(0)
  }
  LinkPort.take()
}
