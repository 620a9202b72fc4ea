/// A week from Monday to Sunday, counted as ISO 8601 does: week 1 has the year's first Thursday.
public struct ISOWeek: Hashable, Comparable, Sendable {
  /// The week's first day.
  public let monday: CivilDate

  /// The week of a day.
  public init(_ date: CivilDate) { monday = date.monday }

  public static func < (a: ISOWeek, b: ISOWeek) -> Bool { a.monday < b.monday }

  /// The week after it; before it, where `count` is negative.
  public func advanced(by count: Int) -> ISOWeek {
    ISOWeek(CivilDate(day: Int32(clamping: Int(monday.day) + 7 * count)))
  }

  /// Its seven days.
  public var days: [CivilDate] { (0..<7).map { CivilDate(day: monday.day + $0) } }

  /// As in "2026-W48"; the year is that of its Thursday.
  public var text: String {
    let thursday = CivilDate(day: monday.day + 3)
    let year = thursday.parts.year
    let first = CivilDate(year: year, month: 1, day: 1) ?? thursday
    return
      "\(CivilDate.digits(year, 4))-W\(CivilDate.digits(Int(thursday.day - first.day) / 7 + 1, 2))"
  }

  /// - Returns: nil for a text that `text` never gives, and for years before 2 or after 9,998.
  public init?(text: String) {
    let parts = text.split(separator: "-W", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2], let year = CivilDate.number(parts[0]),
      let week = CivilDate.number(parts[1]), (2...9_998).contains(year), week > 0,
      let fourth = CivilDate(year: year, month: 1, day: 4)
    else { return nil }
    self = ISOWeek(fourth).advanced(by: week - 1)
    // A year without a 53rd week has none.
    guard self.text == text else { return nil }
  }
}
