/// When a series of check-ins falls due: a rule, a local time, and the days between which it holds
/// (R90 to R95). It follows iCalendar (RFC 5545) where the requirements are silent.
public struct Recurrence: Equatable, Sendable {
  /// Which days, and how often on each.
  public var rule: Rule
  /// Minutes after local midnight, 0 to 1,439.
  public var minute: Int
  /// The first day that may have one.
  public var start: CivilDate
  /// The last day that may have one; nil: it never ends.
  public var end: CivilDate?

  /// Nothing is checked.
  public init(_ rule: Rule, at minute: Int, from start: CivilDate, until end: CivilDate? = nil) {
    self.rule = rule
    self.minute = minute
    self.start = start
    self.end = end
  }

  /// The five kinds of rules (R90).
  public enum Rule: Equatable, Sendable {
    case once
    /// Every `every` days, 1 to 999; on each of them `times`, 1 to 24, times, `hoursApart`, 1 to
    /// 23, hours apart (R91). `times` by `hoursApart` is at most 48.
    case days(every: Int, times: Int = 1, hoursApart: Int = 1)
    /// Every `every` weeks, 1 to 999, on these weekdays (R92); weeks begin on Monday.
    case weeks(every: Int, Set<Weekday>)
    /// Every `every` months, 1 to 999 (R93).
    case months(every: Int, MonthDay)
    /// Every `every` years, 1 to 999, in these months, 1 to 12 (R94).
    case years(every: Int, months: Set<Int>, MonthDay)
  }

  /// Which day, or days, of a month.
  public enum MonthDay: Equatable, Sendable {
    /// 1 to 31; a month without it has none.
    case day(Int)
    case ordinal(Ordinal, DayGroup)
  }

  /// Monday is 1, Sunday 7, as ISO 8601 counts.
  public enum Weekday: Int, CaseIterable, Sendable {
    case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday
  }

  /// Which of the days of a month that are in a group.
  public enum Ordinal: String, Codable, CaseIterable, Sendable {
    case first, second, third, fourth, last, every
  }

  /// One weekday, or a group of them (R93).
  public enum DayGroup: String, Codable, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    /// Monday to Friday.
    case weekdays
    /// Saturday and Sunday.
    case weekend
    /// Every day.
    case day
  }

  /// One moment of the expansion, before any exception.
  public struct Moment: Equatable, Sendable {
    /// Names it within its series, whatever later changes.
    public let key: OccurrenceKey
    /// When it falls due, µs since 1970 UTC.
    public let due: Int64

    /// A moment of some expansion.
    public init(key: OccurrenceKey, due: Int64) {
      self.key = key
      self.due = due
    }
  }

  /// The first moment that falls due after `wall`, µs since 1970 UTC; nil: there is none.
  ///
  /// Moments come in the order in which they fall due. Two of one series at the same moment, as
  /// where a day's last one meets the next day's first, are one: the one of the earlier day.
  public func next(after wall: Int64, in zone: borrowing ZoneTable) -> Moment? { nil }
}

extension Recurrence: Codable {
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "not yet"))
  }

  public func encode(to encoder: any Encoder) throws {}
}
