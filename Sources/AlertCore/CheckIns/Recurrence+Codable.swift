/// The rule's members, `minute`, `start` and `end`, side by side. Ranges are not checked: `refusal`
/// does that.
extension Recurrence: Codable {
  private enum CodingKeys: String, CodingKey { case minute, start, end }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try Rule(from: decoder), at: try members.decode(Int.self, forKey: .minute),
      from: try members.decode(CivilDate.self, forKey: .start),
      until: try members.decodeIfPresent(CivilDate.self, forKey: .end))
  }

  public func encode(to encoder: any Encoder) throws {
    try rule.encode(to: encoder)
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(minute, forKey: .minute)
    try members.encode(start, forKey: .start)
    try members.encodeIfPresent(end, forKey: .end)
  }
}

/// As `{"kind": "months", "every": 1, "ordinal": "second", "weekday": "friday"}`. `every`, `times`
/// and `hoursApart` may be left out, and are 1 then.
extension Recurrence.Rule: Codable {
  private enum Kind: String, Codable { case once, days, weeks, months, years }

  private enum CodingKeys: String, CodingKey {
    case kind, every, times, hoursApart, weekdays, months
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let kind = try members.decode(Kind.self, forKey: .kind)
    func number(_ key: CodingKeys) throws -> Int {
      try members.decodeIfPresent(Int.self, forKey: key) ?? 1
    }
    switch kind {
    case .once: self = .once
    case .days:
      self = .days(
        every: try number(.every), times: try number(.times), hoursApart: try number(.hoursApart))
    case .weeks:
      let weekdays = try members.decode([Recurrence.Weekday].self, forKey: .weekdays)
      self = .weeks(every: try number(.every), Set(weekdays))
    case .months:
      self = .months(every: try number(.every), try Recurrence.MonthDay(from: decoder))
    case .years:
      self = .years(
        every: try number(.every), months: Set(try members.decode([Int].self, forKey: .months)),
        try Recurrence.MonthDay(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ kind: Kind, every: Int) throws {
      try members.encode(kind, forKey: .kind)
      try members.encode(every, forKey: .every)
    }
    switch self {
    case .once: try members.encode(Kind.once, forKey: .kind)
    case .days(let every, let times, let hoursApart):
      try encode(.days, every: every)
      try members.encode(times, forKey: .times)
      try members.encode(hoursApart, forKey: .hoursApart)
    case .weeks(let every, let weekdays):
      try encode(.weeks, every: every)
      try members.encode(weekdays.sorted { $0.rawValue < $1.rawValue }, forKey: .weekdays)
    case .months(let every, let monthDay):
      try encode(.months, every: every)
      try monthDay.encode(to: encoder)
    case .years(let every, let months, let monthDay):
      try encode(.years, every: every)
      try members.encode(months.sorted(), forKey: .months)
      try monthDay.encode(to: encoder)
    }
  }
}

/// As `{"day": 13}` or `{"ordinal": "last", "weekday": "weekdays"}`, never both.
extension Recurrence.MonthDay: Codable {
  private enum CodingKeys: String, CodingKey { case day, ordinal, weekday }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    guard let ordinal = try members.decodeIfPresent(Recurrence.Ordinal.self, forKey: .ordinal)
    else {
      self = .day(try members.decode(Int.self, forKey: .day))
      return
    }
    guard try members.decodeIfPresent(Int.self, forKey: .day) == nil else {
      throw DecodingError.dataCorruptedError(
        forKey: .day, in: members, debugDescription: "a day, or an ordinal and a weekday")
    }
    self = .ordinal(ordinal, try members.decode(Recurrence.DayGroup.self, forKey: .weekday))
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .day(let day): try members.encode(day, forKey: .day)
    case .ordinal(let ordinal, let group):
      try members.encode(ordinal, forKey: .ordinal)
      try members.encode(group, forKey: .weekday)
    }
  }
}

/// By its name, as in "monday".
extension Recurrence.Weekday: Codable {
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let weekday = Self.allCases.first(where: { $0.group.rawValue == name }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "no weekday: \(name)"))
    }
    self = weekday
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(group.rawValue)
  }
}
