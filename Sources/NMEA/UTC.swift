/// UTC as GGA and RMC write it.
enum UTC {
  static let secondsPerDay: UInt32 = 86_400

  /// Reads `hhmmss.ss` as whole seconds of the day; nil where the field is empty. Second 60 is a
  /// leap second and counts as the next one.
  static func secondOfDay(
    _ field: Range<Int>, in sentence: Span<UInt8>
  ) throws(FieldError) -> UInt32? {
    guard !field.isEmpty else { return nil }
    let parts = sentence.split(field)
    guard parts.whole.count == 6 else { throw .malformed }
    let time = try sentence.number(parts.whole)
    _ = try sentence.fraction(parts.fraction, places: 0)
    let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
    guard hour < 24, minute < 60, second <= 60 else { throw .outOfRange }
    return hour * 3_600 + minute * 60 + second
  }

  /// Reads `ddmmyy` as days since 1970-01-01; nil where the field is empty or the year is 80 to 99,
  /// which GPS receivers that know no date state (1980-01-06 and 1999-08-22, week 0). Other years
  /// are 2000 to 2079.
  static func day(_ field: Range<Int>, in sentence: Span<UInt8>) throws(FieldError) -> UInt32? {
    guard !field.isEmpty else { return nil }
    guard field.count == 6 else { throw .malformed }
    let date = try sentence.number(field)
    let (day, month, year) = (date / 10_000, date / 100 % 100, date % 100)
    guard (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year) else {
      throw .outOfRange
    }
    guard year < 80 else { return nil }
    var days = daysBefore2000 + year * 365 + (year + 3) / 4 + day - 1
    for earlier in 1..<month { days += daysIn(month: earlier, year: year) }
    return days
  }

  private static let daysBefore2000: UInt32 = 10_957

  private static func daysIn(month: UInt32, year: UInt32) -> UInt32 {
    switch month {
    case 2: year % 4 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
