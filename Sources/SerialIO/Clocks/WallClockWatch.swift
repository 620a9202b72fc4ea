import CLinux
import Glibc

/// Tells that the wall clock was set, by whomever: a timerfd on CLOCK_REALTIME that this cancels.
public struct WallClockWatch: ~Copyable, Sendable {
  private let timer: OwnedDescriptor

  /// From now on.
  public init() throws(IOFailure) {
    timer = OwnedDescriptor(
      owning: try Syscall.run("create", "a timerfd") { clinux_timerfd_wall_set() },
      path: "a timerfd")
  }

  /// Readable once the clock was set, until `clear()`.
  public var descriptor: Int32 { timer.number }

  /// Waits for the next time.
  /// - Returns: whether the clock was set since.
  @discardableResult
  public func clear() -> Bool {
    var count: UInt64 = 0
    return Glibc.read(timer.number, &count, 8) >= 0 || errno == ECANCELED
  }
}
