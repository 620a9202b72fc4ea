public import FobBase
import Glibc

/// CLOCK_BOOTTIME, the clock for deciding: it never jumps and it goes on during suspend.
public enum BootClock {
  public static func nanoseconds() -> UInt64 { UInt64(bitPattern: read(CLOCK_BOOTTIME)) }
  public static func now() -> Instant { Instant(microseconds: Int64(nanoseconds() / 1_000)) }
}

/// CLOCK_REALTIME, the clock for telling people: it may jump, so nothing is decided by it.
public enum WallClock {
  /// Microseconds since 1970-01-01 00:00 UTC.
  public static func now() -> Int64 { read(CLOCK_REALTIME) / 1_000 }
}

/// CLOCK_THREAD_CPUTIME_ID: how long the processor has worked for the calling thread.
public enum ThreadClock {
  public static func nanoseconds() -> UInt64 {
    UInt64(bitPattern: read(CLOCK_THREAD_CPUTIME_ID))
  }
}

/// Nanoseconds.
private func read(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
