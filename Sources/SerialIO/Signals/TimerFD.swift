import CLinux
public import FobBase
import Glibc

/// A deadline that can be polled: a timerfd on CLOCK_BOOTTIME, so a deadline that passed during
/// suspend comes at once on resume. A poll timeout would sleep the rest of its time.
public struct TimerFD: ~Copyable, Sendable {
  private let timer: OwnedDescriptor

  public init() throws(IOFailure) {
    timer = OwnedDescriptor(
      owning: try Syscall.run("create", "a timerfd") { clinux_timerfd_boottime() },
      path: "a timerfd")
  }

  /// Readable from the deadline on, until `clear()` or `set(at:)`.
  public var descriptor: Int32 { timer.number }

  /// Nil disarms it; an instant that has passed makes it readable at once.
  public func set(at instant: Instant?) {
    // 0 would disarm, so what is due before the boot is due 1 ns after it.
    let microseconds = max(instant?.microseconds ?? 0, 0)
    let seconds = microseconds / 1_000_000
    var nanoseconds = microseconds % 1_000_000 * 1_000
    if instant != nil, microseconds == 0 { nanoseconds = 1 }
    let result = clinux_timerfd_set(timer.number, seconds, nanoseconds)
    precondition(result == 0, "a timerfd takes every time that is not negative")
  }

  public func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(timer.number, &count, 8)
  }
}
