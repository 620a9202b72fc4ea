import AlertCore
import FobBase

/// A series as the API shows it.
struct SeriesView: Encodable {
  private let id: Int
  private let description: String
  private let rule: Recurrence.Rule
  private let time: String
  private let start: CivilDate
  private let end: CivilDate?
  private let lead: Int
  private let escalates: Bool
  private let limit: Int
  private let device: String?
  private let hasEnded: Bool
  private let createdAt: Int64
  private let changedAt: Int64
  private let exceptions: [Exception]

  private struct Exception: Encodable {
    let key: String
    let isRemoved: Bool
    let isAsked: Bool
    let due: Int64?
    let description: String?
    let lead: Int?
  }

  init(_ series: CheckInSeries) {
    id = series.id
    description = series.description
    rule = series.recurrence.rule
    time = LocalTime.text(series.recurrence.minute)
    start = series.recurrence.start
    end = series.recurrence.end
    lead = series.lead
    escalates = series.escalates
    limit = series.limit
    device = series.device
    hasEnded = series.hasEnded
    createdAt = series.createdAt
    changedAt = series.changedAt
    exceptions = series.exceptions.sorted { $0.key < $1.key }.map { key, exception in
      Exception(
        key: key, isRemoved: exception.isRemoved, isAsked: exception.isAsked, due: exception.due,
        description: exception.description, lead: exception.lead)
    }
  }
}

/// An entry of the history.
struct PastCheckInView: Encodable {
  private let series: Int
  private let key: OccurrenceKey
  private let description: String
  private let due: Int64
  private let state: CheckIn.State
  private let escalates: Bool
  private let nagged: Int
  private let completedAt: Int64?
  private let by: Answerer?
  private let comment: String
  private let incident: IncidentID?
  private let closedAt: Int64

  private struct Answerer: Encodable {
    let kind: String
    var device: String?
    var event: String?
    var name: String?
  }

  init(_ past: CheckIn) {
    series = past.series
    key = past.key
    description = past.description
    due = past.due
    state = past.state
    escalates = past.escalates
    nagged = past.nagged
    completedAt = past.completedAt
    by = past.by.map { by in
      switch by {
      case .click(let device, let event): Answerer(kind: "click", device: device, event: event)
      case .person(let name): Answerer(kind: "person", name: name)
      }
    }
    comment = past.comment
    incident = past.incident
    closedAt = past.closedAt ?? past.due
  }
}

/// The place of a row in a list that goes by moment, series and key: rows that come and go between
/// two pages move no other row.
struct CheckInCursor: Comparable {
  /// µs since 1970.
  let moment: Int64
  let id: CheckIn.ID

  init(_ listed: ListedCheckIn) { (moment, id) = (listed.due, listed.id) }

  /// Of the history, by the moment at which it became final.
  init(_ past: CheckIn) { (moment, id) = (past.closedAt ?? past.due, past.id) }

  /// - Returns: nil for a text that `text` never gives.
  init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 2)
    guard parts.count == 3, let moment = Int64(parts[0]), let series = Int(parts[1]),
      let key = OccurrenceKey(text: String(parts[2]))
    else { return nil }
    (self.moment, id) = (moment, CheckIn.ID(series: series, key: key))
  }

  /// As in "1764061200000000-3-20261125T0900".
  var text: String { "\(moment)-\(id.series)-\(id.key.text)" }

  static func < (a: Self, b: Self) -> Bool {
    (a.moment, a.id.series, a.id.key) < (b.moment, b.id.series, b.id.key)
  }
}
