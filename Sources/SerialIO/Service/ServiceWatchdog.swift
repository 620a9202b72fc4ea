public import FobBase
import Glibc

/// Tells the service manager that this process works (sd_watchdog_enabled(3)). A process that says
/// nothing for WatchdogSec= is killed and started again.
public final class ServiceWatchdog: Sendable {
  private let stopSignal: EventSignal
  private let thread: BlockingThread

  /// WatchdogSec= as the manager tells it in WATCHDOG_USEC; nil where no manager watches this
  /// process.
  public static var interval: Interval? {
    func number(_ name: String) -> Int64? { getenv(name).flatMap { Int64(String(cString: $0)) } }
    guard let microseconds = number("WATCHDOG_USEC"), microseconds > 0 else { return nil }
    guard (number("WATCHDOG_PID") ?? Int64(getpid())) == Int64(getpid()) else { return nil }
    return .microseconds(microseconds)
  }

  /// - Parameters:
  ///   - patience: the manager's. The watchdog reports every third of it.
  ///   - obstacle: asked each time, why this process cannot work; nil: it can, and the manager is
  ///     told. It gets the time that it may take. It runs on the watchdog's thread: while it hangs,
  ///     nothing is reported.
  ///   - tell: gets an obstacle, once until it changes.
  public init(
    every patience: Interval, obstacle: @escaping @Sendable (Interval) -> String?,
    tell: @escaping @Sendable (String) -> Void
  ) throws(IOFailure) {
    let stop = try EventSignal()
    let watched = stop.descriptor
    stopSignal = stop
    let turn = Interval.microseconds(max(1, patience.microseconds / 3))
    thread = try BlockingThread(name: "watchdog") {
      var told: String?
      repeat {
        let found = obstacle(turn)
        if let found, found != told { tell(found) }
        told = found
        if found == nil { try? SystemdNotifier.alive() }
      } while (try? Syscall.poll(watched, for: POLLIN, until: BootClock.now() + turn)) == 0
    }
  }

  /// Ends the thread; waits for it at most 100 ms.
  public func stop() {
    stopSignal.signal()
    _ = thread.join(within: .milliseconds(100))
  }
}
