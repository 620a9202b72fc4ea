import FobBase
import Glibc
import SerialIO
import Synchronization
import Testing

/// What other threads report, waited for with a watchdog in place of a sleep.
final class Mailbox<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let signal: EventSignal

  init() throws { signal = try EventSignal() }

  func put(_ value: Value) {
    values.withLock { $0.append(value) }
    signal.signal()
  }

  func put(contentsOf new: some Collection<Value>) {
    let new = Array(new)
    values.withLock { $0 += new }
    signal.signal()
  }

  /// The first values, at least `count` of them, and all that are there by then.
  func take(atLeast count: Int = 1) throws -> [Value] {
    let deadline = Watchdog.deadline()
    while true {
      let taken = values.withLock { values -> [Value]? in
        guard values.count >= count else { return nil }
        defer { values.removeAll() }
        return values
      }
      if let taken { return taken }
      let events = try Syscall.poll(signal.descriptor, for: POLLIN, until: deadline)
      try #require(events != 0, "nothing came within 10 s")
      signal.clear()
    }
  }
}

/// The bound on every wait of a test: far beyond what any machine needs.
enum Watchdog {
  static func deadline() -> Instant { BootClock.now() + .seconds(10) }
}
