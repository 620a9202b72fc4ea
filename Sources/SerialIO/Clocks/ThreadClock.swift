import Glibc

/// CLOCK_THREAD_CPUTIME_ID: how long the processor has worked for the calling thread.
public enum ThreadClock {
  public static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
