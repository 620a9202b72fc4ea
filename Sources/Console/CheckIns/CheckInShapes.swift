import AlertCore
import FobBase

/// The JSON shapes of check-ins.
enum CheckInShapes {
  static let key = JSONSchema.pattern("^[0-9]{8}T[0-9]{4}(-[0-9]{1,2})?$", 13...16)
  /// A row of a list: its moment, its series and its key.
  static let cursor = JSONSchema.pattern(
    "^[0-9]{1,19}-[0-9]{1,19}-[0-9]{8}T[0-9]{4}(-[0-9]{1,2})?$", 17...56)
  static let series = JSONSchema.integer(1...Int64.max)
  static let date = JSONSchema.described(
    .pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", 10...10), "as in 2026-11-25")
  static let time = JSONSchema.described(
    .pattern("^([01][0-9]|2[0-3]):[0-5][0-9]$", 5...5), "as in 09:00, in the account's zone")
  static let lead = JSONSchema.described(
    .integer(0...40_320),
    "minutes before it is due in which it can be answered; one that escalates: 60 at the most;"
      + " 0 of a new series")
  /// In bytes the core's limit is the same, so that a log or mail has room for it.
  static let description = JSONSchema.text(0...160)
  static let comment = JSONSchema.text(0...500)
  static let moment = JSONSchema.described(.integer(Int64.min...Int64.max), "µs since 1970")

  static let all: [String: JSONSchema] = [
    "CheckInRule": rule,
    "CheckInSeries": .open(
      .needed("id", series), .needed("description", description),
      .needed("rule", .reference("CheckInRule")), .needed("time", time), .needed("start", date),
      .optional("end", date), .needed("lead", lead), .needed("escalates", .boolean),
      .needed("limit", limit), .optional("device", .device), .needed("hasEnded", .boolean),
      .needed("createdAt", moment), .needed("changedAt", moment),
      .needed("exceptions", .array(exception, limit: 10_000))),
    "CheckInDraft": .object(
      [
        .needed("description", description), .needed("rule", .reference("CheckInRule")),
        .needed("time", time), .needed("start", date),
      ] + ends + manner + pin, open: false),
    "CheckInEdit": .object(
      days(isStartNeeded: false) + pin, open: false),
    "CheckInReactivation": .object(days(isStartNeeded: true) + pin, open: false),
    "CheckInPreview": .object(
      days(isStartNeeded: false) + [.optional("series", series)] + pin, open: false),
    "CheckIn": .open(
      .needed("series", series), .needed("key", key), .needed("description", description),
      .needed("due", moment), .needed("answerableFrom", moment), .needed("escalates", .boolean),
      .optional("runsOut", moment), .optional("device", .device),
      .needed("phase", .choice(ListedCheckIn.Phase.allCases.map(\.rawValue)))),
    "PastCheckIn": past,
    "CheckInSettings": .closed(
      .needed("nagEvery", .described(.integer(1...60), "minutes between two askings")),
      .needed("shown", .described(.integer(1...366), "of each series in a list")),
      .needed("history", .described(.integer(10...10_000), "final ones that are kept")),
      .needed("logShown", .described(.integer(10...10_000), "lines that a log view shows")),
      .needed("clock", .choice(CheckInSettings.Clock.allCases.map(\.rawValue))),
      .needed("dateOrder", .choice(CheckInSettings.DateOrder.allCases.map(\.rawValue))),
      .needed("mails", .boolean)),
    "CheckInStatus": status,
  ]

  // MARK: Parts of a series

  private static let limit = JSONSchema.described(
    .integer(5...1_440),
    "minutes from due to the alarm's countdown, where it escalates; 20 of a new series")
  private static let pin: [JSONSchema.Property] = [.optional("pin", .pin)]
  private static let ends: [JSONSchema.Property] = [.optional("end", .nullable(date))]
  private static let manner: [JSONSchema.Property] = [
    .optional("lead", lead),
    .optional("escalates", .described(.boolean, "true where a new series does not say it")),
    .optional("limit", limit), .optional("device", .nullable(.device)),
  ]

  private static func days(isStartNeeded: Bool) -> [JSONSchema.Property] {
    [
      .optional("description", description), .optional("rule", .reference("CheckInRule")),
      .optional("time", time), isStartNeeded ? .needed("start", date) : .optional("start", date),
    ] + ends + manner
  }

  private static let every = JSONSchema.Property.needed("every", .integer(1...999))
  private static let weekday = JSONSchema.choice(weekdays)
  static let weekdays = Recurrence.Weekday.allCases.map { "\($0)" }

  /// Either `day`, or `ordinal` and `weekday`.
  private static let dayOfMonth: [JSONSchema.Property] = [
    .optional("day", .integer(1...31)),
    .optional("ordinal", .choice(Recurrence.Ordinal.allCases.map(\.rawValue))),
    .optional("weekday", .choice(Recurrence.DayGroup.allCases.map(\.rawValue))),
  ]

  private static let rule = JSONSchema.kinds([
    "once": [],
    "days": [
      every, .optional("times", .described(.integer(1...24), "1 where it is not said")),
      .optional("hoursApart", .described(.integer(1...23), "1 where it is not said")),
    ],
    "weeks": [every, .needed("weekdays", .array(weekday, limit: 7))],
    "months": [every] + dayOfMonth,
    "years": [every, .needed("months", .array(.integer(1...12), limit: 12))] + dayOfMonth,
  ])

  private static let exception = JSONSchema.open(
    .needed("key", key), .needed("isRemoved", .boolean), .needed("isAsked", .boolean),
    .optional("due", moment), .optional("description", description), .optional("lead", lead))

  // MARK: One check-in

  private static let past = JSONSchema.open(
    .needed("series", series), .needed("key", key), .needed("description", description),
    .needed("due", moment), .needed("state", .choice(CheckIn.State.allCases.map(\.rawValue))),
    .needed("escalates", .boolean), .needed("nagged", .count), .optional("completedAt", moment),
    .optional(
      "by",
      .open(
        .needed("kind", .choice(["click", "person"])), .optional("device", .device),
        .optional("event", .text), .optional("name", .text))),
    .needed("comment", comment), .optional("incident", .incident), .needed("closedAt", moment))

  private static let status = JSONSchema.open(
    .needed("series", .count), .needed("inTime", .count), .needed("overdue", .count),
    .optional(
      "next",
      .open(
        .needed("series", series), .needed("key", key), .needed("description", description),
        .needed("due", moment), .optional("calledAt", moment))),
    .optional("calledAt", moment), .needed("raisesNothing", .boolean))
}
