/// One row of the list of check-ins: an open one, or a date of its series to come (R97, R98).
public struct ListedCheckIn: Equatable, Sendable {
  /// How it stands at one moment (R97, G12).
  public enum Phase: String, Codable, CaseIterable, Sendable {
    /// It cannot be answered yet, and falls due in more than 20 minutes: blue.
    case scheduled
    /// It cannot be answered yet, and falls due within 20 minutes: green.
    case soon
    /// It can be answered, and is not due yet: blue or green by the same rule, and counted by the
    /// badge.
    case inTime
    /// Due, for less than 20 minutes: yellow.
    case overdue
    /// Due for 20 minutes or more: red.
    case late
  }

  /// Its place in the account.
  public let id: CheckIn.ID
  /// The owner's words.
  public let description: String
  /// µs since 1970.
  public let due: Int64
  /// µs since 1970; from then on it can be answered.
  public let answerableFrom: Int64
  /// Silence raises an alarm.
  public let escalates: Bool
  /// When silence raises the alarm's countdown, µs since 1970; nil where it raises none.
  public let runsOut: Int64?
  /// 16 hexadecimal digits; nil: every keychain of the account.
  public let device: String?
  /// How it stands.
  public let phase: Phase
}

/// How the check-ins stand, for the status.
public struct CheckInStatus: Codable, Equatable, Sendable {
  /// Series that have not ended.
  public let series: Int
  /// Open ones that are not due yet.
  public let inTime: Int
  /// Open ones that are due.
  public let overdue: Int
  /// The open one that fell or falls due first; nil: none can be answered.
  public let next: Next?
  /// When people are called if nobody answers, µs since 1970, countdown included; nil: nothing
  /// that is open calls anybody.
  public let calledAt: Int64?
  /// Some series is to raise an alarm, and none would be raised: protection is off.
  public let raisesNothing: Bool

  /// The one that an answer goes to.
  public struct Next: Codable, Equatable, Sendable {
    /// The series' id.
    public let series: Int
    /// Within the series.
    public let key: OccurrenceKey
    /// The owner's words.
    public let description: String
    /// µs since 1970.
    public let due: Int64
    /// When people are called if nobody answers this one, µs since 1970; nil: nobody is.
    public let calledAt: Int64?
  }
}
