/// A day of the Gregorian calendar, without a time or zone.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01; negative before it.
  public let day: Int32

  /// Every `day` is a date.
  public init(day: Int32) { self.day = day }

  public static func < (a: CivilDate, b: CivilDate) -> Bool { a.day < b.day }
}

extension CivilDate {
  /// - Parameters:
  ///   - year: 1 to 9,999.
  ///   - month: 1 to 12.
  ///   - day: from 1.
  /// - Returns: nil where the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9_999).contains(year), (1...12).contains(month),
      day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": years that begin in March.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.day = Int32(era * 146_097 + dayOfEra - 719_468)
  }

  /// Year, month from 1 and day from 1.
  public var parts: (year: Int, month: Int, day: Int) {
    let shifted = Int(day) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// 1970-01-01 was a Thursday.
  public var weekday: Recurrence.Weekday { Recurrence.Weekday.allCases[daysSinceMonday] }

  /// The Monday of its week: the day itself, or one before it.
  var monday: CivilDate { CivilDate(day: Int32(clamping: Int(day) - daysSinceMonday)) }

  private var daysSinceMonday: Int { ((Int(day) + 3) % 7 + 7) % 7 }

  /// How many days a month, 1 to 12, of a year has.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// As in "2026-11-25", for the years from 1 to 9,999.
  public var text: String {
    let (year, month, day) = parts
    return "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
  }

  /// - Returns: nil for a text that `text` never gives.
  public init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let year = Self.number(parts[0]),
      let month = Self.number(parts[1]), let day = Self.number(parts[2])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// Digits alone: no sign.
  static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }
}

extension CivilDate: Codable {
  public init(from decoder: any Decoder) throws {
    self = try decoder.read("date") { CivilDate(text: $0) }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
