/// Which reminders the owner gets, and when those of a day come (R85).
public struct ReminderSettings: Codable, Equatable, Sendable {
  /// The page, and mail where it is switched on, say when a check-in asks. The light shows it in
  /// any case.
  public var checkIns = true
  /// The line that is shown, by its own schedule.
  public var affirmations = true
  /// A day after an alarm without a completed review, once; and on Sundays while one is in
  /// progress.
  public var review = true
  /// A tip each day.
  public var tips = false
  /// A quote each day.
  public var quotes = false
  /// A reminder of a review, a tip or a quote is mailed, too: that there is one, and no word of it.
  public var mails = false
  /// When those of a day come: minutes after midnight by the account's zone, 0 to 1,439.
  public var minute = 9 * 60

  /// The defaults.
  public init() {}

  /// Why a core cannot use them, as a clause; nil where it can.
  package var misfit: String? {
    (0..<24 * 60).contains(minute) ? nil : "a time of the reminders is no time of a day"
  }
}

/// The alarm whose review is to be reminded of.
public struct ReviewReminder: Codable, Equatable, Sendable {
  /// The alarm.
  public let incident: IncidentID
  /// From when on, µs since 1970.
  public let due: Int64

  /// Nothing is checked.
  public init(incident: IncidentID, due: Int64) {
    self.incident = incident
    self.due = due
  }
}

/// A row of the reminders that a step changed. Later ones replace earlier ones of the same row.
public enum ReminderChange: Equatable, Sendable {
  case settings(ReminderSettings)
  case review(ReviewReminder)
  /// It was told, or is not needed any more.
  case reviewRemoved
}

/// The reminders that an earlier run left.
public struct StoredReminders: Equatable, Sendable {
  /// As last set.
  public var settings = ReminderSettings()
  /// Nil: none is due.
  public var review: ReviewReminder?

  /// None.
  public init() {}

  /// As it is with one row changed.
  package mutating func apply(_ change: ReminderChange) {
    switch change {
    case .settings(let changed): settings = changed
    case .review(let changed): review = changed
    case .reviewRemoved: review = nil
    }
  }
}
