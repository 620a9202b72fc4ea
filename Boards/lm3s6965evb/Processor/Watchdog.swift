import WireProtocol

/// Resets the processor when the main loop has not come by for four seconds: after two the first
/// time-out marks the reset as the watchdog's, after two more the second does it.
enum Watchdog {
  private static let period: UInt32 = 100_000_000
  private static let interrupt: UInt = 18

  static func start() {
    Register(0x4000_0000).value = period
    Register(0x4000_0008).value = 3
    Interrupts.enable(interrupt)
  }

  /// Cycles since it was last reloaded.
  static var passed: UInt32 { period &- Register(0x4000_0004).value }

  /// The main loop has come by. It is reloaded once a second at the most: the clock reads it.
  static func serve() {
    Interrupts.without {
      let passed = passed
      guard passed > period / 2 else { return }
      SystemClock.watchdogReloads(after: passed)
      Register(0x4000_000C).value = 1
    }
  }

  /// The time-out is not cleared, so that the next one resets; the interrupt is not wanted again.
  fileprivate static func timedOut() {
    SystemClock.watchdogReloads(after: period)
    ResetMark.set(.watchdog)
    Interrupts.disable(interrupt)
  }
}

@c(watchdogInterrupt)
public func watchdogInterrupt() { Watchdog.timedOut() }
