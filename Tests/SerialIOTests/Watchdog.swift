import FobBase
import SerialIO

/// The bound on every wait of a test: far beyond what any machine needs.
enum Watchdog {
  static func deadline() -> Instant { BootClock.now() + .seconds(10) }
}
