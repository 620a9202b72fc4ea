public import FobBase

/// A series of check-ins as a person has asked for it, in the judge's own words.
public struct SeriesPlan: Equatable, Sendable {
  /// On which days it asks, and how often on each.
  public enum Rule: Equatable, Sendable {
    /// On the first day alone.
    case once
    /// Every `every` days, `times` times, `hoursApart` hours apart.
    case days(every: Int, times: Int, hoursApart: Int)
  }

  /// Which days.
  public var rule: Rule
  /// Minutes after local midnight, 0 to 1,439.
  public var minute: Int
  /// The first day, counted from 1970-01-01.
  public var start: Int
  /// Minutes before it falls due from which on it can be answered.
  public var lead: Int
  /// Silence raises an alarm.
  public var escalates: Bool
  /// Minutes from falling due to the alarm.
  public var limit: Int
  /// The keychain that asks; nil: every one.
  public var device: DeviceID?

  /// One that asks every keychain.
  public init(
    _ rule: Rule, minute: Int, start: Int, lead: Int, escalates: Bool, limit: Int,
    device: DeviceID? = nil
  ) {
    self.rule = rule
    self.minute = minute
    self.start = start
    self.lead = lead
    self.escalates = escalates
    self.limit = limit
    self.device = device
  }

  /// An edit from one to the other leaves what has fallen due to be asked.
  func fallsDue(as other: SeriesPlan) -> Bool {
    (rule, minute, start) == (other.rule, other.minute, other.start)
  }

  /// How long before it falls due it can be answered, µs: no click answers what comes much later,
  /// where silence raises an alarm.
  var early: Int64 { Int64(escalates ? min(lead, 60) : lead) * 60_000_000 }
}

/// One check-in: the id of its series, and its day, time and place among that day's.
public struct CheckInName: Hashable, Sendable {
  /// The series' id.
  public var series: Int
  /// As in "20261125T0900", and "20261125T0900-2" for the third of the day.
  public var key: String

  /// Nothing is checked.
  public init(series: Int, key: String) {
    self.series = series
    self.key = key
  }

  var text: String { "check-in \(series)/\(key)" }
}

/// How far local time is ahead of UTC, and from when on.
public struct Zone: Equatable, Sendable {
  /// From `at` on local time is `ahead` of UTC.
  public struct Change: Equatable, Sendable {
    /// Seconds since 1970 UTC.
    public let at: Int64
    /// Seconds.
    public let ahead: Int64

    /// Negative west of Greenwich.
    public init(at: Int64, ahead: Int64) {
      self.at = at
      self.ahead = ahead
    }
  }

  /// Seconds, before the first change.
  public var first: Int64
  /// In the order of time.
  public var changes: [Change]

  /// UTC, where nothing is said.
  public init(first: Int64 = 0, changes: [Change] = []) {
    self.first = first
    self.changes = changes
  }

  /// The moment at which clocks first show a local time, seconds since 1970 in both. One that they
  /// leap over is read as they went before.
  func moment(of local: Int64) -> Int64 {
    var ahead = first
    for change in changes {
      // Before the change, or leapt over by it.
      if local - ahead < change.at || local - change.ahead < change.at { return local - ahead }
      ahead = change.ahead
    }
    return local - ahead
  }
}

/// One moment at which a plan asks.
struct PlannedMoment: Equatable, Sendable {
  let key: String
  /// µs since 1970 UTC.
  let due: Int64
}

extension SeriesPlan {
  /// The moments between two, µs since 1970 UTC, in the order of their due times.
  func moments(from earliest: Int64, through latest: Int64, in zone: Zone) -> [PlannedMoment] {
    let day: Int64 = 86_400
    let first = max(Int64(start), earliest / 1_000_000 / day - 4)
    let last = latest / 1_000_000 / day + 1
    guard first <= last else { return [] }
    var found: [PlannedMoment] = []
    for date in first...last {
      let (times, apart): (Int, Int)
      switch rule {
      case .once:
        guard date == start else { continue }
        (times, apart) = (1, 0)
      case .days(let every, let count, let hours):
        guard (date - Int64(start)) % Int64(every) == 0 else { continue }
        (times, apart) = (count, hours)
      }
      for index in 0..<times {
        let local = date * day + Int64(minute) * 60 + Int64(index * apart) * 3_600
        let due = zone.moment(of: local) * 1_000_000
        guard (earliest...latest).contains(due), !found.contains(where: { $0.due == due }) else {
          continue
        }
        found.append(PlannedMoment(key: Self.key(date, minute, index), due: due))
      }
    }
    return found.sorted { $0.due < $1.due }
  }

  private static func key(_ date: Int64, _ minute: Int, _ index: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    var (year, left) = (1970, Int(date))
    func isLeap(_ year: Int) -> Bool { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 }
    while left >= (isLeap(year) ? 366 : 365) {
      left -= isLeap(year) ? 366 : 365
      year += 1
    }
    var month = 0
    let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    while left >= lengths[month] {
      left -= lengths[month]
      month += 1
    }
    return "\(year)\(two(month + 1))\(two(left + 1))T\(two(minute / 60))\(two(minute % 60))"
      + (index == 0 ? "" : "-\(index)")
  }
}
