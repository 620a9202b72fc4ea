/// An exercise that the owner does with the light of the keychain or with the page.
public enum Exercise: String, Codable, CaseIterable, Sendable {
  /// In, hold, out, hold, 4 s each (R69 to R74).
  case breathing
  /// Five things, then four, to one, that one sees, touches and hears (R77).
  case grounding
}

/// One session of breathing.
public struct ExerciseSession: Codable, Equatable, Sendable {
  /// Why it ended.
  public enum End: String, Codable, CaseIterable, Sendable {
    case click, page
    /// A press that means alarm, or an incident that opened.
    case alarm
    /// One of the five messages was asked for.
    case message
    /// A check-in that raises an alarm has fallen due: its light is not hidden.
    case checkIn
    /// It has lasted as long as an exercise may.
    case time
    /// Its keychain was out of reach for longer than it shows what it was told.
    case lost
    /// The core was started again.
    case restart
    /// Every item is counted.
    case done
  }

  /// The keychain whose light breathes, 16 hexadecimal digits; nil: each of the account's.
  public let device: String?
  /// Who started it: "button", a role, or a token's name.
  public let by: String
  /// µs since 1970.
  public let startedWall: Int64
  /// How long it has lasted so far, as last stored, or until its end; in seconds.
  public internal(set) var seconds = 0
  /// µs since 1970; nil: it runs.
  public internal(set) var endedWall: Int64?
  /// Nil: it runs.
  public internal(set) var end: End?

  /// Why a core cannot use a stored one, as a clause; nil where it can.
  package var misfit: String? {
    let times: ClosedRange<Int64> = -300_000_000_000_000_000...300_000_000_000_000_000
    let isSound =
      (0...Exercises.longestSeconds).contains(seconds) && times.contains(startedWall)
      && times.contains(endedWall ?? 0) && (end == nil) == (endedWall == nil)
    return isSound ? nil : "a value of the session is out of its range"
  }
}

/// What the owner chose of the exercises.
public struct ExerciseSettings: Codable, Equatable, Sendable {
  /// In profile `guarded`, one click that speaks to nothing else starts breathing.
  public var oneClickBreathes = false

  /// As at first: a click starts nothing.
  public init() {}
}

/// A request about exercises. All are refused as `locked` while an alarm of the account is open;
/// none needs the PIN.
public enum ExerciseCommand: Equatable, Sendable {
  /// - device: the keychain whose light shows it; nil: each of the account's.
  case start(Exercise, device: String?)
  case stop
  /// One more item of grounding.
  case count
  /// Grounding begins again.
  case retry
  case settings(ExerciseSettings)
  /// Replaces the totals of breathing.
  case totals(BreathingTotals)
}

/// A row of the exercises that a step changed. Later ones replace earlier ones of the same row.
public enum ExerciseChange: Equatable, Sendable {
  case session(ExerciseSession)
  case totals(BreathingTotals)
  case settings(ExerciseSettings)
}

/// What an earlier run left of the exercises.
public struct StoredExercises: Equatable, Sendable {
  /// The latest of breathing.
  public var session: ExerciseSession?
  /// Of breathing.
  public var totals = BreathingTotals()
  /// As last set.
  public var settings = ExerciseSettings()

  /// Nothing done yet.
  public init() {}

  /// As it is with one row changed.
  package mutating func apply(_ change: ExerciseChange) {
    switch change {
    case .session(let changed): session = changed
    case .totals(let changed): totals = changed
    case .settings(let changed): settings = changed
    }
  }
}
