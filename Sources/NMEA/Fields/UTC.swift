/// UTC as sentences write it: milliseconds of a day, and days since 1970-01-01.
enum UTC {
  static let secondsPerDay: UInt32 = 86_400
  static let millisecondsPerDay: UInt32 = 86_400_000

  /// Reads `hhmmss.sss` as milliseconds of the day; nil where the field is empty. Second 60 is a
  /// leap second and counts as the next one. Further decimals are cut.
  static func time(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) -> UInt32? {
    guard let field = try fields.fixed(digits: 6, places: 3, in: sentence) else { return nil }
    let time = field.whole
    let (hour, minute, second) = (time / 10_000, time / 100 % 100, time % 100)
    guard hour < 24, minute < 60, second <= 60 else { throw .outOfRange }
    return (hour * 3_600 + minute * 60 + second) * 1_000 + field.fraction
  }

  /// Reads `ddmmyy`; nil where the field is empty or the year is 80 to 99. GPS receivers that know
  /// no date state these years (1980-01-06 and 1999-08-22, week 0). Other years are 2000 to 2079.
  static func date(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) -> UInt32? {
    let start = fields.start
    guard let date = try fields.number(in: sentence) else { return nil }
    guard fields.start - start == 7 else { throw .malformed }
    let (day, month, year) = (date / 10_000, date / 100 % 100, date % 100)
    let days = try days(day: day, month: month, yearFrom2000: year)
    return year < 80 ? days : nil
  }

  /// Reads the three fields `dd,mm,yyyy` of ZDA; nil where one is empty or the year is 1980 to
  /// 1999. Other years are 2000 to 2099.
  static func dateFields(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) -> UInt32? {
    let day = try fields.number(in: sentence)
    let month = try fields.number(in: sentence)
    let year = try fields.number(in: sentence)
    guard let day, let month, let year else { return nil }
    guard 1980..<2100 ~= year else { throw .outOfRange }
    let days = try days(day: day, month: month, yearFrom2000: year % 100)
    return year >= 2000 ? days : nil
  }

  private static func days(
    day: UInt32, month: UInt32, yearFrom2000 year: UInt32
  ) throws(FieldError) -> UInt32 {
    guard (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year) else {
      throw .outOfRange
    }
    var days = daysBefore2000 + year * 365 + (year + 3) / 4 + day - 1
    for earlier in 1..<month { days += daysIn(month: earlier, year: year) }
    return days
  }

  /// The civil date of a day of 2000 to 2099; nil for any other.
  static func civilDate(ofDay day: UInt32) -> (day: UInt32, month: UInt32, year: UInt32)? {
    guard day >= daysBefore2000, day < daysBefore2000 + 36_525 else { return nil }
    // Each period of four years begins with its leap year.
    let (four, rest) = (day - daysBefore2000).quotientAndRemainder(dividingBy: 1_461)
    let yearOfFour = rest < 366 ? 0 : (rest - 1) / 365
    let year = four * 4 + yearOfFour
    var dayOfYear = rest - yearOfFour * 365 - (yearOfFour > 0 ? 1 : 0)
    var month: UInt32 = 1
    while dayOfYear >= daysIn(month: month, year: year) {
      dayOfYear -= daysIn(month: month, year: year)
      month += 1
    }
    return (dayOfYear + 1, month, 2000 + year)
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
