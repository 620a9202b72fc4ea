import FobBase

/// Microseconds since boot: TIMER0, 32 bits at 1 MHz, which wraps after 71 minutes.
enum SystemClock {
  private static let timer: UInt = 0x4000_8000
  private static let capture = Register(timer + 0x040)
  private static let captured = Register(timer + 0x540)

  // Touched only where interrupts are masked.
  nonisolated(unsafe) private static var wraps: UInt32 = 0
  // What was captured last. Touched only where interrupts are masked.
  nonisolated(unsafe) private static var last: UInt32 = 0

  static func start() {
    Timer.start(timer, bits: 3)
    Watchdog.start()
  }

  /// The tick asks, too, so that no wrap is missed.
  @inline(never)
  static func now() -> Instant {
    Interrupts.without {
      capture.value = 1
      let low = captured.value
      if low < last { wraps &+= 1 }
      last = low
      return Instant(microseconds: Int64(wraps) << 32 | Int64(low))
    }
  }
}
