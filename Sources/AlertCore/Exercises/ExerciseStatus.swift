import FobBase

/// How the exercises stand, for people and programs. Moments are µs since 1970.
public struct ExerciseStatus: Encodable, Equatable, Sendable {
  /// What runs now; nil: nothing does.
  public let running: Running?
  /// The last session of breathing that is over; nil: there was none.
  public let last: Last?
  /// Of breathing, without the session that runs.
  public let statistics: Statistics
  /// In profile `guarded`, one click that speaks to nothing else starts breathing.
  public let oneClickBreathes: Bool

  /// The exercise that runs.
  public struct Running: Encodable, Equatable, Sendable {
    /// Which one it is.
    public let exercise: Exercise
    /// The keychain whose light shows it; nil: each of the account's.
    public let device: String?
    /// Who started it: "button", a role, or a token's name.
    public let by: String
    /// When it began.
    public let startedAt: Int64
    /// How long it has run, µs.
    public let elapsed: Int64
    /// For how long the light has shown it without a break, µs; nil: it shows another
    /// state, or no keychain is linked.
    public let lit: Int64?
    /// Of grounding: how many of each category are asked for now, 5 to 1.
    public let stage: Int?
    /// Of grounding: what is to be noticed now.
    public let category: String?
    /// Of grounding: how many more of this category and stage.
    public let left: Int?
    /// Of grounding: how many are counted, 0 to 44.
    public let counted: Int?
  }

  /// A session that is over.
  public struct Last: Encodable, Equatable, Sendable {
    /// The keychain whose light showed it; nil: each of the account's.
    public let device: String?
    /// Who started it: "button", a role, or a token's name.
    public let by: String
    /// When it began.
    public let startedAt: Int64
    /// When it ended.
    public let endedAt: Int64
    /// How long it lasted.
    public let seconds: Int
    /// Why it ended.
    public let end: ExerciseSession.End
  }

  /// Of breathing, in whole seconds.
  public struct Statistics: Encodable, Equatable, Sendable {
    /// Of all sessions together.
    public let seconds: Int
    /// 0 before the first session.
    public let shortest: Int
    /// 0 before the first session.
    public let longest: Int
    /// How many sessions there were.
    public let count: Int
    /// Nil before the first session.
    public let average: Int?

    init(_ totals: BreathingTotals) {
      seconds = totals.seconds
      shortest = totals.shortest
      longest = totals.longest
      count = totals.count
      average = totals.average
    }
  }
}

extension AlertCore {
  /// How the exercises stand, read from memory alone.
  public func exerciseStatus(at now: Timestamp) -> ExerciseStatus {
    ExerciseStatus(
      running: exercises.running.map { ExerciseStatus.Running($0, at: now) },
      last: exercises.last.flatMap { ExerciseStatus.Last($0) },
      statistics: ExerciseStatus.Statistics(exercises.totals),
      oneClickBreathes: exercises.settings.oneClickBreathes)
  }
}

extension ExerciseStatus.Running {
  fileprivate init(_ running: Exercises.Running, at now: Timestamp) {
    exercise = running.exercise
    device = running.device?.text
    by = running.by
    startedAt = running.startedAt.wall
    elapsed = max(0, now.since(running.startedAt).microseconds)
    lit = running.litSince.map { max(0, now.since($0).microseconds) }
    let grounding = running.exercise == .grounding ? running.grounding : nil
    stage = grounding?.stage
    category = grounding?.category?.rawValue
    left = grounding?.left
    counted = grounding?.counted
  }
}

extension ExerciseStatus.Last {
  fileprivate init?(_ session: ExerciseSession) {
    guard let endedWall = session.endedWall, let ended = session.end else { return nil }
    device = session.device
    by = session.by
    startedAt = session.startedWall
    endedAt = endedWall
    seconds = session.seconds
    end = ended
  }
}
