import Glibc

/// A time as APIs write it: 2026-01-15T04:47:00.000000Z.
enum RFC3339 {
  /// - Parameter wall: µs since 1970.
  static func text(_ wall: Int64) -> String {
    let (second, micros) = wall.quotientAndRemainder(dividingBy: 1_000_000)
    let time = broken(time_t(max(0, second)))
    let date = "\(time.tm_year + 1_900)-\(padded(time.tm_mon + 1))-\(padded(time.tm_mday))"
    let clock = "\(padded(time.tm_hour)):\(padded(time.tm_min)):\(padded(time.tm_sec))"
    return "\(date)T\(clock).\(padded(Int32(max(0, micros)), 6))Z"
  }

  /// Of UTC.
  static func broken(_ second: time_t) -> tm {
    var second = second
    var time = tm()
    gmtime_r(&second, &time)
    return time
  }

  static func padded(_ number: Int32, _ width: Int = 2) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
