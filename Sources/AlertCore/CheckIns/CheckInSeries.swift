/// A question that is asked again and again, and what becomes of silence (R90 to R112, G17).
public struct CheckInSeries: Codable, Equatable, Sendable {
  /// From 1; none is given twice in an account.
  public let id: Int
  /// 1 to 160 bytes, without control characters.
  public var description: String
  /// When it is asked.
  public var recurrence: Recurrence
  /// Minutes before it falls due from which on it can be answered, 0 to 40,320 (R96).
  public var lead: Int
  /// Silence raises an alarm (G17).
  public var escalates: Bool
  /// Minutes from falling due to the alarm's countdown, 5 to 1,440.
  public var limit: Int
  /// 16 hexadecimal digits: the keychain that shows it and whose click answers; nil: every one of
  /// the account.
  public var device: String?
  /// Nothing of it will be asked again; it can be reactivated (R109).
  public var hasEnded = false
  /// µs since 1970.
  public let createdAt: Int64
  /// µs since 1970.
  public var changedAt: Int64
  /// The single ones that a person has changed or taken out before they were asked (R107), by key.
  public var exceptions: [String: Exception] = [:]
  /// Everything that fell due up to here was asked: nothing is asked twice, whatever the clock
  /// does. µs since 1970.
  var askedUntil: Int64

  /// What differs for a single one.
  public struct Exception: Codable, Equatable, Sendable {
    /// When its series has it, µs since 1970: it replaces that date.
    let base: Int64
    /// It is not asked: taken out, or answered ahead.
    public internal(set) var isRemoved = false
    /// µs since 1970.
    public internal(set) var due: Int64
    /// As in the series.
    public internal(set) var description: String
    /// As in the series.
    public internal(set) var lead: Int
    /// It was asked: only its date in the series is still to be left out.
    public internal(set) var isAsked = false
  }
}

/// A series as a person asks for it, not yet checked; nil: not given. A new one needs
/// `description`, `rule`, `minute` and `start`; an edit changes what is given.
public struct CheckInDraft: Equatable, Sendable {
  /// 1 to 160 bytes, without control characters.
  public var description: String?
  /// Replaces the whole rule.
  public var rule: Recurrence.Rule?
  /// Minutes after local midnight, 0 to 1,439.
  public var minute: Int?
  /// The first day; not before today (G14).
  public var start: CivilDate?
  /// The last day; nil within: none (R95).
  public var end: CivilDate??
  /// Minutes, 0 to 40,320; 0 where a new one gives none.
  public var lead: Int?
  /// True where a new one does not say.
  public var escalates: Bool?
  /// Minutes, 5 to 1,440; 20 where a new one gives none.
  public var limit: Int?
  /// 16 hexadecimal digits; nil within: every keychain of the account.
  public var device: String??

  /// Nothing is given.
  public init() {}
}

/// How an account asks (R100, R103, R105, R112).
public struct CheckInSettings: Codable, Equatable, Sendable {
  /// Minutes between two askings of the same check-in, 1 to 60.
  public var nagEvery = 5
  /// How many of a series a list shows, 1 to 366.
  public var shown = 31
  /// How many answered and missed ones are kept, 10 to 10,000; the oldest go first.
  public var history = 1_000
  /// How many lines a log view shows, 10 to 10,000.
  public var logShown = 500
  /// How times are shown.
  public var clock = Clock.hours24
  /// How dates are shown.
  public var dateOrder = DateOrder.yearMonthDay
  /// The owner gets a mail when one falls due, and at each repeat, where the address is confirmed.
  public var mails = false

  /// 9:00 pm or 21:00.
  public enum Clock: String, Codable, CaseIterable, Sendable {
    case hours12 = "12"
    case hours24 = "24"
  }

  /// 2026-11-25, 25.11.2026 or 11/25/2026.
  public enum DateOrder: String, Codable, CaseIterable, Sendable {
    case yearMonthDay = "ymd"
    case dayMonthYear = "dmy"
    case monthDayYear = "mdy"
  }

  /// The defaults.
  public init() {}
}
