public import FobBase
import Glibc

/// Tells the service manager that this process does its work, as sd_watchdog_enabled(3) has it: one
/// that says nothing for the time of WatchdogSec= is killed and started again.
public final class ServiceWatchdog: Sendable {
  private let stopSignal: EventSignal
  private let thread: BlockingThread

  /// Nil where no manager watches this process.
  public static var interval: Interval? {
    func number(_ name: String) -> Int64? { getenv(name).flatMap { Int64(String(cString: $0)) } }
    guard let microseconds = number("WATCHDOG_USEC"), microseconds > 0 else { return nil }
    guard (number("WATCHDOG_PID") ?? Int64(getpid())) == Int64(getpid()) else { return nil }
    return .microseconds(microseconds)
  }

  /// - Parameters:
  ///   - every: the manager's patience, of which a third passes between two signs.
  ///   - obstacle: why the work could not be done now, found within the time given; nil: it could.
  ///     It may hang.
  ///   - tell: an obstacle, once until it changes.
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

  public func stop() {
    stopSignal.signal()
    _ = thread.join(within: .milliseconds(100))
  }
}
