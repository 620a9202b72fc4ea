import FobBase

/// The last date that an RMC with a fix, or a ZDA beside a fix, stated. It dates the sentences that
/// have only a time.
struct UTCDate {
  let day: UInt32
  let secondOfDay: UInt32
  let at: Instant

  var utc: UInt32 { day * UTC.secondsPerDay + secondOfDay }

  /// Seconds since 1970 of a time of day read at `now`, before or after midnight, whichever is
  /// nearer to the dated time; 0 when that is more than an hour old.
  func utc(ofSecond second: UInt32, at now: Instant) -> UInt32 {
    guard now - at <= .minutes(60) else { return 0 }
    let noon = UTC.secondsPerDay / 2
    var day = day
    if second > secondOfDay + noon { day -= 1 }
    if second + noon < secondOfDay { day += 1 }
    return day * UTC.secondsPerDay + second
  }
}
