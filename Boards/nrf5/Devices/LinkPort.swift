import CortexM
import FobBase

/// UART0, the link to the host at 115,200 baud, over the USB of the board's debugger. Its receiver
/// holds six bytes, its transmitter one: both have a queue, and an interrupt.
enum LinkPort {
  private static let base: UInt = 0x4000_2000
  private static let interrupt: UInt = 2
  private static let received0 = Register(base + 0x108)
  private static let transmitted = Register(base + 0x11C)
  private static let failed = Register(base + 0x124)
  private static let want = Register(base + 0x304)
  private static let unwant = Register(base + 0x308)
  private static let input = Register(base + 0x518)
  private static let output = Register(base + 0x51C)
  /// INTENSET, INTENCLR: RXDRDY, TXDRDY, ERROR.
  private static let receiveInterrupt: UInt32 = 1 << 2
  private static let otherInterrupts: UInt32 = 1 << 7 | 1 << 9

  // Touched in interrupts, and else only where interrupts are masked.
  static var received: ByteQueue<256> { ByteQueue(in: link_in_memory()) }
  // Touched in interrupts, and else only where interrupts are masked.
  private static var sending: ByteQueue<64> { ByteQueue(in: link_out_memory()) }
  // Touched in interrupts, and else only where interrupts are masked.
  nonisolated(unsafe) private static var isSending = false
  // Touched in interrupts, and else only where interrupts are masked.
  nonisolated(unsafe) static var takesMore = false
  /// How long the host has been silent. Touched in interrupts, and else only read.
  nonisolated(unsafe) private(set) static var quietMilliseconds: UInt32 = 0

  static func start() {
    Pins.configure(Wiring.linkIn, 0)
    // PSEL.TXD, PSEL.RXD, BAUDRATE, ENABLE.
    Register(base + 0x50C).value = UInt32(Wiring.linkOut)
    Register(base + 0x514).value = UInt32(Wiring.linkIn)
    Register(base + 0x524).value = 0x01D7_E000
    Register(base + 0x500).value = 4
    // TASKS_STARTRX, TASKS_STARTTX.
    Register(base + 0x000).value = 1
    Register(base + 0x008).value = 1
    want.value = receiveInterrupt | otherInterrupts
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

  static func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    Interrupts.without {
      let count = send(bytes, from: 0)
      takesMore = count == bytes.count
      return count
    }
  }

  /// The count of the bytes from `start` on that the queue takes now.
  static func send(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    Interrupts.without {
      var at = start
      while at < bytes.count, !sending.isFull {
        sending.append(bytes[at])
        at += 1
      }
      sendNext()
      return at - start
    }
  }

  /// Also looks at the transmitter: once its line was full, QEMU says without an interrupt that it
  /// is free again.
  static func tick() {
    quietMilliseconds &+= 1
    goOn()
  }

  /// A full queue leaves the rest in the UART until the main loop has made room.
  private static func take() {
    while received0.value != 0, !received.isFull {
      received0.value = 0
      received.append(UInt8(truncatingIfNeeded: input.value))
      quietMilliseconds = 0
    }
    (received.isFull ? unwant : want).value = receiveInterrupt
  }

  private static func sendNext() {
    guard !isSending, !sending.isEmpty else { return }
    isSending = true
    output.value = UInt32(sending.removeFirst())
  }

  fileprivate static func goOn() {
    failed.value = 0
    if transmitted.value != 0 {
      transmitted.value = 0
      isSending = false
      sendNext()
      if sending.count <= 32 { takesMore = true }
    }
    take()
  }
}

@c(linkInterrupt)
public func linkInterrupt() { LinkPort.goOn() }
