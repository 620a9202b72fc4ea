/// Seconds since 1970 as `2026-01-01 00:00:00 UTC`.
enum CivilTime {
  static func text(_ seconds: UInt64) -> String {
    let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, day) = date(days)
    return "\(year)-\(two(month))-\(two(day))"
      + " \(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60)) UTC"
  }

  /// The Gregorian calendar from days since 1970 (Hinnant, chrono-compatible date algorithms):
  /// years that begin in March, in cycles of 400.
  private static func date(_ days: UInt64) -> (year: UInt64, month: UInt64, day: UInt64) {
    let shifted = days + 719_468
    let (cycle, dayOfCycle) = shifted.quotientAndRemainder(dividingBy: 146_097)
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (
      cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1
    )
  }

  private static func two(_ number: UInt64) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
