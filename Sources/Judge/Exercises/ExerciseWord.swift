public import FobBase

/// An exercise that an owner does with the light of the keychain or with the page.
public enum ExerciseKind: String, Sendable, CaseIterable { case breathing, grounding }

/// What a core tells its watchers of exercises.
public enum ExerciseWord: Equatable, Sendable {
  /// - Parameter click: the keychain whose click has started it; nil: a request has.
  case started(ExerciseKind, click: DeviceID?)
  case ended(ExerciseKind)
  /// One that was broken off by the end of an earlier run is over: the totals have it already.
  case brokenOff
  /// The totals of breathing are the ones that somebody has asked for.
  case totalsReplaced
}

/// How long and how often somebody has breathed, without the session that runs.
public struct BreathingRecord: Equatable, Sendable {
  public var seconds: Int
  public var count: Int

  /// Nobody has, where no argument is given.
  public init(seconds: Int = 0, count: Int = 0) {
    self.seconds = seconds
    self.count = count
  }

  mutating func add(_ session: Int) {
    seconds += session
    count += 1
  }

  var text: String { "\(count) sessions of \(seconds) s" }
}
