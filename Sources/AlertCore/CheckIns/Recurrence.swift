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

    /// The group that it alone is in.
    public var group: DayGroup {
      switch self {
      case .monday: .monday
      case .tuesday: .tuesday
      case .wednesday: .wednesday
      case .thursday: .thursday
      case .friday: .friday
      case .saturday: .saturday
      case .sunday: .sunday
      }
    }
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

    /// Whether the group has such days.
    func contains(_ weekday: Weekday) -> Bool {
      switch self {
      case .day: true
      case .weekdays: weekday.rawValue <= 5
      case .weekend: weekday.rawValue > 5
      default: weekday.group == self
      }
    }
  }

  /// One moment of the expansion, before any exception.
  public struct Occurrence: Equatable, Sendable {
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
}

extension Recurrence {
  /// What is out of range, by the name that the part has in JSON; nil: it can be asked. One that is
  /// refused has no moments.
  public func refusal() -> UserCommand.Refusal? {
    guard (0..<1_440).contains(minute) else {
      return .invalid("time", "is no time of the day, as in 09:00")
    }
    guard Self.days.contains(start) else {
      return .invalid("start", "is not in the years 1 to 9999")
    }
    if let end {
      guard Self.days.contains(end) else { return .invalid("end", "is not in the years 1 to 9999") }
      guard end >= start else { return .invalid("end", "is before the first day") }
    }
    return rule.refusal()
  }

  /// Those that `CivilDate` has a text for: no moment is of another day.
  static let days = CivilDate(day: -719_162)...CivilDate(day: 2_932_896)
}

extension Recurrence.Rule {
  /// What is out of range, by the name that the part has in JSON.
  func refusal() -> UserCommand.Refusal? {
    switch self {
    case .once: nil
    case .days(let every, let times, let hoursApart):
      Self.refusal(every: every) ?? Self.refusal(times: times, hoursApart: hoursApart)
    case .weeks(let every, let weekdays):
      Self.refusal(every: every)
        ?? (weekdays.isEmpty ? .invalid("weekdays", "needs one at least") : nil)
    case .months(let every, let monthDay): Self.refusal(every: every) ?? monthDay.refusal()
    case .years(let every, let months, let monthDay):
      Self.refusal(every: every) ?? Self.refusal(months: months) ?? monthDay.refusal()
    }
  }

  private static func refusal(every: Int) -> UserCommand.Refusal? {
    (1...999).contains(every) ? nil : .invalid("every", "is not 1 to 999")
  }

  private static func refusal(times: Int, hoursApart: Int) -> UserCommand.Refusal? {
    guard (1...24).contains(times) else { return .invalid("times", "is not 1 to 24") }
    guard (1...23).contains(hoursApart) else { return .invalid("hoursApart", "is not 1 to 23") }
    guard times * hoursApart <= 48 else {
      return .invalid("times", "by hoursApart is more than 48 hours")
    }
    return nil
  }

  private static func refusal(months: Set<Int>) -> UserCommand.Refusal? {
    if months.isEmpty { return .invalid("months", "needs one at least") }
    return months.allSatisfy { (1...12).contains($0) }
      ? nil : .invalid("months", "has one that is not 1 to 12")
  }
}

extension Recurrence.MonthDay {
  /// What is out of range, by the name that the part has in JSON.
  fileprivate func refusal() -> UserCommand.Refusal? {
    guard case .day(let day) = self, !(1...31).contains(day) else { return nil }
    return .invalid("day", "is not 1 to 31")
  }
}
