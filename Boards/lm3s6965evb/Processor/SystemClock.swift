import FobBase

/// Microseconds since boot: SysTick counts milliseconds, its counter what has passed of one.
enum SystemClock {
  private static let ticksPerMillisecond: UInt32 = 50_000
  private static let control = Register(0xE000_E010)
  private static let reload = Register(0xE000_E014)
  private static let counter = Register(0xE000_E018)
  private static let pending = Register(0xE000_ED04)

  nonisolated(unsafe) private static var wholeMilliseconds: Int64 = 0
  nonisolated(unsafe) private static var last: Int64 = 0

  static func start() {
    reload.value = ticksPerMillisecond - 1
    counter.value = 0
    control.value = 7
  }

  /// Never less than it said before.
  @inline(never)
  static func now() -> Instant {
    Interrupts.without {
      var whole = wholeMilliseconds
      var left = counter.value
      // The counter has begun anew, and its interrupt has not been served.
      if pending.value & 1 << 26 != 0 {
        whole &+= 1_000
        left = counter.value
      }
      let passed = (ticksPerMillisecond - 1 &- left) / 50
      last = max(last, whole &+ Int64(passed))
      return Instant(microseconds: last)
    }
  }

  /// The counter's present place: a few bits that no two boots share.
  static var noise: UInt32 { counter.value }

  fileprivate static func count() { wholeMilliseconds &+= 1_000 }
}

@c(tick)
public func tick() { SystemClock.count() }
