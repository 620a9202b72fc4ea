/// One occurrence of a series, from when it can be answered. Before that it is only a date of the
/// series' expansion.
public struct CheckIn: Codable, Equatable, Sendable {
  /// Its place in the account: no two check-ins have the same.
  public struct ID: Hashable, Sendable {
    /// The series' id.
    public let series: Int
    /// Within the series.
    public let key: OccurrenceKey

    /// Nothing is checked.
    public init(series: Int, key: OccurrenceKey) {
      self.series = series
      self.key = key
    }
  }

  /// How it stands. All but `open` are final, as long as nobody restores it.
  public enum State: String, Codable, CaseIterable, Sendable {
    /// It can be answered.
    case open
    /// Somebody has said that all is well.
    case completed
    /// Its silence raised an alarm, or was added to one.
    case escalated
    /// An alarm was open when it fell due or ran out; it asks no more.
    case covered
    /// It fell due while the core was not there, and a newer one of its series is asked instead.
    case missed
    /// A person took it out.
    case removed
  }

  /// Who answered it.
  public enum Answerer: Codable, Equatable, Sendable {
    /// A click: the keychain's id and "boot.n" of the event.
    case click(device: String, event: String)
    /// A person or program by page or API: a role or a token's name.
    case person(String)
  }

  /// The series' id.
  public let series: Int
  /// Within the series.
  public let key: OccurrenceKey
  /// A copy, so that the history can be read when the series is gone.
  public var description: String
  /// When it falls or fell due, µs since 1970.
  public var due: Int64
  /// When it could first be answered, µs since 1970.
  public var answerableFrom: Int64
  /// As of the series, when it was first asked.
  public var escalates: Bool
  /// Silence until then raises the alarm, µs since 1970; later than due and limit where it was
  /// asked anew.
  public var runsOut: Int64
  /// Minutes, as of the series.
  var limit: Int
  /// Minutes, as of the series.
  var lead: Int
  /// As of the series.
  public var device: String?
  /// A person has moved or changed this one alone.
  var isException = false
  /// How often it was asked anew: each time its silence raises an alarm of its own.
  var round = 0
  /// How it stands.
  public internal(set) var state = State.open
  /// How often it was asked again (R100).
  public internal(set) var nagged = 0
  /// When it was answered, by the click's own time where that is known, µs since 1970.
  public internal(set) var completedAt: Int64?
  /// Set with `completedAt`.
  public internal(set) var by: Answerer?
  /// 0 to 500 bytes; editable for ever (R101).
  public internal(set) var comment = ""
  /// The alarm that it raised, was added to, or is covered by.
  public internal(set) var incident: IncidentID?
  /// When its state became final, µs since 1970; nil while it is open.
  public internal(set) var closedAt: Int64?
  /// It has fallen due, and that was told.
  public internal(set) var isDueTold = false
  /// It ran out while nothing could be raised, and that was told.
  public internal(set) var isIdleTold = false

  /// Its place in the account.
  public var id: ID { ID(series: series, key: key) }
}

/// A row of the check-ins' tables that a step changed. Later ones replace earlier ones of the same
/// row.
public enum CheckInChange: Equatable, Sendable {
  case series(CheckInSeries)
  case seriesRemoved(Int)
  case checkIn(CheckIn)
  /// It fell out of the history, or is a mere date of its series again.
  case checkInRemoved(CheckIn.ID)
  case settings(CheckInSettings)
  case counts(CheckInCounts)
}

/// What happened since the statistics were last reset (R111).
public struct CheckInCounts: Codable, Equatable, Sendable {
  /// When they were reset, µs since 1970; 0: never.
  public var since: Int64 = 0
  /// How many fell due.
  public var asked = 0
  /// How many were answered, and those of them by click.
  public var completed = 0
  /// Answered by a click.
  public var clicked = 0
  /// How many raised an alarm.
  public var escalated = 0
  /// How many were missed.
  public var missed = 0
  /// The greatest id that a series had; a reset leaves it.
  var lastSeries = 0

  /// Nothing happened yet.
  public init() {}
}

/// The check-ins that an earlier run left.
public struct StoredCheckIns: Equatable, Sendable {
  /// By id.
  public var series: [CheckInSeries] = []
  /// Open and final ones, in any order.
  public var checkIns: [CheckIn] = []
  /// As last set.
  public var settings = CheckInSettings()
  /// As last counted.
  public var counts = CheckInCounts()

  /// None.
  public init() {}

  /// As it is with one row changed.
  package mutating func apply(_ change: CheckInChange) {
    switch change {
    case .series(let changed): series.replace(changed, by: \.id)
    case .seriesRemoved(let id): series.removeAll { $0.id == id }
    case .checkIn(let changed): checkIns.replace(changed, by: \.id)
    case .checkInRemoved(let id): checkIns.removeAll { $0.id == id }
    case .settings(let changed): settings = changed
    case .counts(let changed): counts = changed
    }
  }
}

extension CheckIn {
  /// It can be answered: once it was due, whatever the clock says now.
  func isAnswerable(at wall: Int64) -> Bool { isDueTold || answerableFrom <= wall }

  /// Whether the keychain with this id shows it, and its click answers it.
  func isAsked(of device: String?) -> Bool { self.device == nil || self.device == device }
}

/// Wall times, µs since 1970, which may be anything that was stored.
extension Int64 {
  func after(minutes: Int) -> Int64 { adding(Int64(clamping: minutes)) }

  func before(minutes: Int) -> Int64 { adding(-Int64(clamping: minutes)) }

  private func adding(_ minutes: Int64) -> Int64 {
    let (span, isHuge) = minutes.multipliedReportingOverflow(by: 60_000_000)
    let (sum, overflow) = addingReportingOverflow(span)
    return isHuge || overflow ? (minutes < 0 ? .min : .max) : sum
  }

  /// µs since an earlier time.
  func since(_ earlier: Int64) -> Int64 {
    let (span, overflow) = subtractingReportingOverflow(earlier)
    return overflow ? (self < earlier ? .min : .max) : span
  }
}
