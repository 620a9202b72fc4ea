extension Recurrence {
  /// The first moment that falls due after `wall`, µs since 1970 UTC; nil: there is none.
  ///
  /// The rule gives days, and each of them local times: local wall time is kept over changes of the
  /// clock, so a day's times of which each is `hoursApart` after the one before are so many hours
  /// apart on the local clock, also past midnight. A time that the clock leaves out is read with
  /// the offset before the gap; one that occurs twice is the first.
  ///
  /// Moments come in the order in which they fall due. Two of one series at the same moment, as
  /// where a day's last one meets the next day's first, are one: the one of the earlier day.
  public func next(after wall: Int64, in zone: borrowing ZoneTable) -> Occurrence? {
    guard refusal() == nil else { return nil }
    // Seconds from a day's midnight by UTC to its first and its last moment, at the most.
    let earliest = Int64(minute) * 60 - zone.offsets.upperBound
    let latest = Int64(minute + (times - 1) * hoursApart * 60) * 60 - zone.offsets.lowerBound
    var found: Occurrence?
    // All moments of the days before are over.
    var day = Int((ZoneTable.seconds(wall) - latest).quotient(86_400))
    while let base = self.day(from: day) {
      if let found, (Int64(base) * 86_400 + earliest) * 1_000_000 >= found.due { break }
      for index in 0..<times {
        let moment = self.occurrence(on: CivilDate(day: Int32(base)), index: index, in: zone)
        if moment.due > wall, moment.due < found?.due ?? .max { found = moment }
      }
      day = base + 1
    }
    return found
  }

  /// The next ones, in order, fewer where there are no more.
  /// - Parameters:
  ///   - wall: they fall due after it, µs since 1970 UTC.
  ///   - count: not negative.
  ///   - zone: the offsets by which local times are read.
  public func occurrences(after wall: Int64, count: Int, in zone: borrowing ZoneTable)
    -> [Occurrence]
  {
    var moments: [Occurrence] = []
    while moments.count < count, let moment = next(after: moments.last?.due ?? wall, in: zone) {
      moments.append(moment)
    }
    return moments
  }

  /// The moment of that name; nil where the series has none.
  public func occurrence(_ key: OccurrenceKey, in zone: borrowing ZoneTable) -> Occurrence? {
    guard refusal() == nil, key.minute == minute, (0..<times).contains(key.index),
      day(from: Int(key.date.day)) == Int(key.date.day)
    else { return nil }
    let moment = occurrence(on: key.date, index: key.index, in: zone)
    // Another one may fall due at the same time and stand for both.
    return next(after: moment.due - 1, in: zone) == moment ? moment : nil
  }

  /// How many moments there are at the most from one to another, both included.
  func mostMoments(from first: Occurrence, to last: Occurrence) -> Int {
    let days = Int(last.key.date.day) - Int(first.key.date.day)
    let months = Self.month(of: Int(last.key.date.day)) - Self.month(of: Int(first.key.date.day))
    func aMonth(_ day: MonthDay) -> Int { if case .ordinal(.every, _) = day { 31 } else { 1 } }
    switch rule {
    case .once: return 1
    case .days(let every, 1, _): return days / every + 1
    case .days(let every, let times, _):
      // One day's last may come after the next day's first.
      let days = Int((last.due - first.due) / 86_400_000_000) + 2
      return (days / every + 1) * times
    case .weeks(let every, let weekdays): return (days / 7 / every + 2) * weekdays.count
    case .months(let every, let day): return (months / every + 1) * aMonth(day)
    case .years(let every, let chosen, let day):
      return (months / 12 / every + 2) * chosen.count * aMonth(day)
    }
  }

  private func occurrence(
    on day: CivilDate, index: Int, in zone: borrowing ZoneTable
  ) -> Occurrence {
    Occurrence(
      key: OccurrenceKey(day, minute: minute, index: index),
      due: zone.instant(of: day, minute: minute + index * hoursApart * 60))
  }

  private var times: Int {
    guard case .days(_, let times, _) = rule else { return 1 }
    return times
  }

  private var hoursApart: Int {
    guard case .days(_, _, let hoursApart) = rule else { return 1 }
    return hoursApart
  }
}

/// Days as `CivilDate.day` counts them. The rule is one that is not refused.
extension Recurrence {
  /// The first of the rule's days that is not before `day`.
  private func day(from day: Int) -> Int? {
    let first = max(day, Int(start.day))
    let last = Int((end ?? Self.days.upperBound).day)
    guard first <= last else { return nil }
    let found: Int? =
      switch rule {
      case .once: first == Int(start.day) ? first : nil
      case .days(let every, _, _):
        Int(start.day) + Self.steps(of: every, to: first - Int(start.day))
      case .weeks(let every, let weekdays): self.day(from: first, everyWeeks: every, weekdays)
      case .months(let every, let monthDay): self.day(from: first, everyMonths: every, monthDay)
      case .years(let every, let months, let monthDay):
        self.day(from: first, everyYears: every, months, monthDay)
      }
    return found.flatMap { $0 <= last ? $0 : nil }
  }

  /// The first multiple of `size` that is not less than `distance`, which is not negative.
  private static func steps(of size: Int, to distance: Int) -> Int {
    (distance + size - 1) / size * size
  }

  private func day(from first: Int, everyWeeks every: Int, _ weekdays: Set<Weekday>) -> Int? {
    let monday = Int(start.monday.day)
    let week = monday + Self.steps(of: every, to: (first - monday) / 7) * 7
    for start in [week, week + every * 7] {
      for weekday in Weekday.allCases where weekdays.contains(weekday) {
        let day = start + weekday.rawValue - 1
        if day >= first { return day }
      }
    }
    return nil
  }

  private func day(from first: Int, everyMonths every: Int, _ monthDay: MonthDay) -> Int? {
    let begin = Self.month(of: Int(start.day))
    var month = begin + Self.steps(of: every, to: Self.month(of: first) - begin)
    // After 400 years of the calendar, which are whole weeks, all comes again: what has not been
    // there is never there.
    for _ in 0..<4_800 {
      guard let day = CivilDate(year: month / 12, month: month % 12 + 1, day: 1) else { return nil }
      if let found = monthDay.day(ofMonthFrom: day, notBefore: first) { return found }
      month += every
    }
    return nil
  }

  private func day(
    from first: Int, everyYears every: Int, _ months: Set<Int>, _ monthDay: MonthDay
  ) -> Int? {
    let begin = start.parts.year
    var year = begin + Self.steps(of: every, to: CivilDate(day: Int32(first)).parts.year - begin)
    for _ in 0..<400 {
      for month in 1...12 where months.contains(month) {
        guard let day = CivilDate(year: year, month: month, day: 1) else { return nil }
        if let found = monthDay.day(ofMonthFrom: day, notBefore: first) { return found }
      }
      year += every
    }
    return nil
  }

  /// Months since January of the year 0.
  private static func month(of day: Int) -> Int {
    let (year, month, _) = CivilDate(day: Int32(day)).parts
    return year * 12 + month - 1
  }
}

extension Recurrence.MonthDay {
  /// The first of the days meant, in the month that begins on `start`, that is not before `first`.
  fileprivate func day(ofMonthFrom start: CivilDate, notBefore first: Int) -> Int? {
    let (year, month, _) = start.parts
    let begin = Int(start.day)
    let days = begin..<begin + CivilDate.days(inMonth: month, of: year)
    let found: Int? =
      switch self {
      case .day(let number): number <= days.count ? begin + number - 1 : nil
      case .ordinal(.every, let group): days.first { $0 >= first && Self.is($0, in: group) }
      case .ordinal(.last, let group): days.last { Self.is($0, in: group) }
      case .ordinal(let ordinal, let group):
        days.lazy.filter { Self.is($0, in: group) }.dropFirst(ordinal.place).first
      }
    return found.flatMap { $0 >= first ? $0 : nil }
  }

  private static func `is`(_ day: Int, in group: Recurrence.DayGroup) -> Bool {
    group.contains(CivilDate(day: Int32(day)).weekday)
  }
}

extension Recurrence.Ordinal {
  /// How many are before it.
  fileprivate var place: Int {
    switch self {
    case .second: 1
    case .third: 2
    case .fourth: 3
    case .first, .last, .every: 0
    }
  }
}
