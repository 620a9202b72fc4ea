import AlertCore
import FobBase
import HTTPTypes

/// A rule in JSON: `kind` says which of the other members it has.
enum RuleForm {
  /// - Parameter json: of the shape `CheckInRule`.
  static func rule(_ json: JSONValue) throws(Problem) -> Recurrence.Rule {
    switch json["kind"]?.text {
    case "once": return .once
    case "days":
      return .days(
        every: json.number("every") ?? 1, times: json.number("times") ?? 1,
        hoursApart: json.number("hoursApart") ?? 1)
    case "weeks":
      let names = (json["weekdays"]?.elements ?? []).compactMap(\.text)
      let days = Recurrence.Weekday.allCases.filter { names.contains("\($0)") }
      guard !days.isEmpty else { throw .wrong("rule.weekdays", "one weekday at least") }
      return .weeks(every: json.number("every") ?? 1, Set(days))
    case "months": return .months(every: json.number("every") ?? 1, try day(json))
    case "years":
      let months = (json["months"]?.elements ?? []).compactMap { $0.whole.map { Int($0) } }
      guard !months.isEmpty else { throw .wrong("rule.months", "one month at least") }
      return .years(every: json.number("every") ?? 1, months: Set(months), try day(json))
    default: throw .wrong("rule.kind", "no such kind")
    }
  }

  private static func day(_ json: JSONValue) throws(Problem) -> Recurrence.MonthDay {
    let ordinal = json["ordinal"]?.text.flatMap { Recurrence.Ordinal(rawValue: $0) }
    let group = json["weekday"]?.text.flatMap { Recurrence.DayGroup(rawValue: $0) }
    switch (json.number("day"), ordinal, group) {
    case (let day?, nil, nil): return .day(day)
    case (nil, let ordinal?, let group?): return .ordinal(ordinal, group)
    default: throw .wrong("rule.day", "either day, or ordinal and weekday")
    }
  }

  static func json(_ rule: Recurrence.Rule) -> JSONValue {
    func form(_ kind: String, _ every: Int, _ more: [String: JSONValue]) -> JSONValue {
      .object(
        ["kind": .string(kind), "every": .integer(Int64(every))].merging(more) { $1 })
    }
    switch rule {
    case .once: return ["kind": "once"]
    case .days(let every, let times, let hoursApart):
      return form(
        "days", every,
        ["times": .integer(Int64(times)), "hoursApart": .integer(Int64(hoursApart))])
    case .weeks(let every, let days):
      let names = Recurrence.Weekday.allCases.filter(days.contains).map { "\($0)" }
      return form("weeks", every, ["weekdays": .array(names.map { .string($0) })])
    case .months(let every, let day): return form("months", every, json(day))
    case .years(let every, let months, let day):
      let numbers = months.sorted().map { JSONValue.integer(Int64($0)) }
      return form("years", every, json(day).merging(["months": .array(numbers)]) { $1 })
    }
  }

  private static func json(_ day: Recurrence.MonthDay) -> [String: JSONValue] {
    switch day {
    case .day(let day): ["day": .integer(Int64(day))]
    case .ordinal(let ordinal, let group):
      ["ordinal": .string(ordinal.rawValue), "weekday": .string(group.rawValue)]
    }
  }
}

extension JSONValue {
  func number(_ name: String) -> Int? { self[name]?.whole.map { Int($0) } }
}

extension Problem {
  /// A field whose shape is right and whose value is not.
  static func wrong(_ field: String, _ reason: String) -> Problem {
    Problem(.unprocessableContent, "invalid", reason, field: field)
  }
}

extension CheckInDraft {
  /// - Parameter json: of one of the shapes `CheckInDraft`, `CheckInEdit`, `CheckInReactivation`
  ///   and `CheckInPreview`.
  init(_ json: JSONValue) throws(Problem) {
    self.init()
    description = json["description"]?.text
    if let form = json["rule"] { rule = try RuleForm.rule(form) }
    minute = json["time"]?.text.flatMap { LocalTime.minute($0) }
    start = try Self.date(json, "start")
    // Null takes it away; what is not said stays.
    if json["end"] != nil { end = .some(try Self.date(json, "end")) }
    lead = json.number("lead")
    escalates = json["escalates"]?.truth
    limit = json.number("limit")
    if json["device"] != nil { device = .some(json["device"]?.text) }
  }

  private static func date(_ json: JSONValue, _ name: String) throws(Problem) -> CivilDate? {
    guard let text = json[name]?.text else { return nil }
    guard let date = CivilDate(text: text) else { throw .wrong(name, "no day of the calendar") }
    return date
  }
}

/// A time of the day as in "09:00".
enum LocalTime {
  /// - Returns: minutes after midnight, 0 to 1,439; nil for a text that is none.
  static func minute(_ text: String) -> Int? {
    let parts = text.split(separator: ":").map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1] else { return nil }
    return (0..<24).contains(hour) && (0..<60).contains(minute) ? hour * 60 + minute : nil
  }

  /// - Parameter minute: after midnight, 0 to 1,439.
  static func text(_ minute: Int) -> String {
    func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    return "\(digits(minute / 60)):\(digits(minute % 60))"
  }
}
