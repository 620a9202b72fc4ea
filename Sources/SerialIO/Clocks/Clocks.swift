public import FobBase
import Glibc

/// CLOCK_BOOTTIME, the clock for deciding: it never jumps and it goes on during suspend.
public enum BootClock {
  /// Nanoseconds since this host booted, suspend included.
  public static func nanoseconds() -> UInt64 { UInt64(bitPattern: read(CLOCK_BOOTTIME)) }
  /// The same clock in whole microseconds, rounded down.
  public static func now() -> Instant { Instant(microseconds: Int64(nanoseconds() / 1_000)) }
}

/// CLOCK_REALTIME, the clock for telling people: it may jump, so nothing is decided by it.
public enum WallClock {
  /// Microseconds since 1970-01-01 00:00 UTC.
  public static func now() -> Int64 { read(CLOCK_REALTIME) / 1_000 }
}

/// CLOCK_THREAD_CPUTIME_ID: processor time of the calling thread.
public enum ThreadClock {
  /// Nanoseconds of processor time since the thread began.
  public static func nanoseconds() -> UInt64 {
    UInt64(bitPattern: read(CLOCK_THREAD_CPUTIME_ID))
  }
}

/// Nanoseconds of any clock.
private func read(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

/// Names a boot of this host, so that a stored boot time is never compared with the clock of
/// another boot.
public enum BootID {
  /// The kernel's random boot UUID, its two halves folded by XOR to 63 bits: every client reads it
  /// from JSON as an integer.
  ///
  /// A service that does not see /proc/sys (ProcSubset=pid) takes the UUID from FOB_BOOT_ID, which
  /// its unit sets.
  /// - Throws: `IOFailure` where neither gives a UUID.
  public static func current() throws(IOFailure) -> UInt64 {
    let path = "/proc/sys/kernel/random/boot_id"
    do throws(IOFailure) {
      return try read(path)
    } catch {
      guard let told = getenv("FOB_BOOT_ID"), let folded = fold(uuid: String(cString: told).utf8)
      else { throw error }
      return folded
    }
  }

  private static func read(_ path: String) throws(IOFailure) -> UInt64 {
    let file = try Syscall.open(path, O_RDONLY)
    var text = [UInt8](repeating: 0, count: 64)
    let count = try Syscall.run("read", path) { Glibc.read(file.number, &text, text.count) }
    guard let folded = fold(uuid: text.prefix(count)) else {
      throw IOFailure("read", errno: EINVAL, path: path, reason: "it is not a UUID")
    }
    return folded
  }

  static func fold(uuid: some Sequence<UInt8>) -> UInt64? {
    let digits = String(decoding: uuid.filter { $0 != 0x2D && $0 != 0x0A }, as: UTF8.self)
    guard digits.utf8.count == 32,
      let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    return (high ^ low) & UInt64(Int64.max)
  }
}
