public import FobBase
import Glibc

/// CLOCK_BOOTTIME, the clock for deciding: it never jumps and it goes on during suspend.
public enum BootClock {
  public static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  public static func now() -> Instant {
    Instant(microseconds: Int64(nanoseconds() / 1_000))
  }
}
