import FobBase

/// Microseconds since boot, read from the watchdog's counter: SysTick, which wakes the main loop
/// each millisecond, may miss ticks where interrupts wait, and a clock that counted them would lag.
enum SystemClock {
  private static let ticksPerMillisecond: UInt32 = 50_000
  private static let control = Register(0xE000_E010)
  private static let reload = Register(0xE000_E014)
  private static let counter = Register(0xE000_E018)

  // Up to the watchdog's last reload. Touched only where interrupts are masked.
  nonisolated(unsafe) private static var whole: Int64 = 0
  // What was said last. Touched only where interrupts are masked.
  nonisolated(unsafe) private static var last: Int64 = 0

  static func start() {
    reload.value = ticksPerMillisecond - 1
    counter.value = 0
    control.value = 7
    Watchdog.start()
  }

  /// Never less than it said before.
  @inline(never)
  static func now() -> Instant {
    Interrupts.without {
      last = max(last, whole &+ Int64(Watchdog.passed / 50))
      return Instant(microseconds: last)
    }
  }

  /// The watchdog begins anew after so many of its cycles.
  static func watchdogReloads(after cycles: UInt32) { whole &+= Int64(cycles / 50) }

  /// The counter's present place: a few bits that no two boots share.
  static var noise: UInt32 { counter.value }
}

@c(tick)
public func tick() {}
