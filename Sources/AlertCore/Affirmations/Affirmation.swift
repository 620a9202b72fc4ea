/// A line of the owner's that encourages them (R75).
public struct Affirmation: Codable, Equatable, Sendable {
  /// From 1; never given to another line.
  public let id: Int
  /// 1 to 160 characters.
  public let text: String

  /// Nothing is checked.
  public init(id: Int, text: String) {
    self.id = id
    self.text = text
  }

  /// Characters of a line: Unicode scalars, as JSON Schema counts.
  public static let longest = 160
  /// Lines that an account has at most.
  public static let most = 500

  /// The text in its stored form: without white space at its ends.
  static func checked(_ text: String) throws(UserCommand.Refusal) -> String {
    let trimmed = try FieldValidation.name(text, "text", limit: 4 * longest)
    guard trimmed.unicodeScalars.count <= longest else {
      throw .invalid("text", "has more than \(longest) characters")
    }
    return trimmed
  }

  /// Why a core cannot use a stored one, as a clause; nil where it can.
  package var misfit: String? {
    let isSound =
      (1...Int(Int32.max)).contains(id) && (1...Self.longest).contains(text.unicodeScalars.count)
    return isSound ? nil : "a value of the affirmation is out of its range"
  }
}

/// When the owner is reminded of the current line (R76), by the local clock.
public struct AffirmationSchedule: Codable, Equatable, Sendable {
  /// How often.
  public enum Every: String, Codable, CaseIterable, Sendable { case never, weekly, daily, hourly }

  /// How often.
  public let every: Every
  /// With `weekly` alone.
  public let weekday: Recurrence.Weekday?
  /// 0 to 23, with `weekly` and `daily` alone.
  public let hour: Int?
  /// 0 to 59; `never` has none.
  public let minute: Int?

  /// Nothing is checked.
  public init(
    _ every: Every, on weekday: Recurrence.Weekday? = nil, hour: Int? = nil, minute: Int? = nil
  ) {
    self.every = every
    self.weekday = weekday
    self.hour = hour
    self.minute = minute
  }

  /// Its moments, as those of a series of check-ins; nil: there is none.
  var recurrence: Recurrence? {
    guard refusal == nil, let minute else { return nil }
    let rule: Recurrence.Rule =
      switch every {
      case .hourly: .days(every: 1, times: 24)
      case .weekly: .weeks(every: 1, weekday.map { [$0] } ?? [])
      case .daily, .never: .days(every: 1)
      }
    return Recurrence(rule, at: (hour ?? 0) * 60 + minute, from: CivilDate(day: 0))
  }

  /// What of it is wrong or missing, by its name in JSON; nil: nothing.
  package var refusal: UserCommand.Refusal? {
    let needsHour = every == .daily || every == .weekly
    guard (weekday != nil) == (every == .weekly) else {
      return .invalid("weekday", every == .weekly ? "is needed" : "is of weekly alone")
    }
    guard hour.map({ (0...23).contains($0) }) ?? !needsHour, needsHour || hour == nil else {
      return .invalid("hour", needsHour ? "is not 0 to 23" : "is of weekly and daily alone")
    }
    guard minute.map({ (0...59).contains($0) }) ?? (every == .never),
      every != .never || minute == nil
    else { return .invalid("minute", every == .never ? "is of no use" : "is not 0 to 59") }
    return nil
  }
}

/// What is stored of the affirmations beside the lines.
public struct AffirmationSettings: Codable, Equatable, Sendable {
  /// The id of the line that is shown; nil: there is no line.
  public internal(set) var current: Int?
  /// The highest id that a line has had.
  public internal(set) var last: Int
  /// When the owner is reminded.
  public internal(set) var schedule: AffirmationSchedule

  /// Nothing is checked.
  public init(current: Int?, last: Int, schedule: AffirmationSchedule) {
    self.current = current
    self.last = last
    self.schedule = schedule
  }

  /// Why a core cannot use a stored one, as a clause; nil where it can.
  package var misfit: String? {
    schedule.refusal == nil && (0...Int(Int32.max)).contains(last)
      ? nil : "a value of the affirmations is out of its range"
  }
}

/// A request about the affirmations. None needs the PIN; all are refused as `locked` while an alarm
/// of the account is open.
public enum AffirmationCommand: Equatable, Sendable {
  /// It becomes the current one.
  case add(String)
  case remove(Int)
  case select(Int)
  /// The one after the current one; the first after the last.
  case next
  /// The one before the current one; the last before the first.
  case previous
  case remind(AffirmationSchedule)
  /// In place of all lines; the first becomes the current one.
  case replace([String])
}

/// A row of the affirmations that a step changed. Later ones replace earlier ones of the same row.
public enum AffirmationChange: Equatable, Sendable {
  case line(Affirmation)
  case lineRemoved(Int)
  case settings(AffirmationSettings)
}

/// The affirmations that an earlier run left.
public struct StoredAffirmations: Equatable, Sendable {
  /// In any order.
  public var lines: [Affirmation] = []
  /// Nil: the account has not changed the supplied lines yet.
  public var settings: AffirmationSettings?

  /// None.
  public init() {}

  /// As it is with one row changed.
  package mutating func apply(_ change: AffirmationChange) {
    switch change {
    case .line(let changed): lines.replace(changed, by: \.id)
    case .lineRemoved(let id): lines.removeAll { $0.id == id }
    case .settings(let changed): settings = changed
    }
  }
}
