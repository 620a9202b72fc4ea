public import FobBase

/// A rule that was broken.
public struct Violation: Equatable, Sendable, CustomStringConvertible {
  /// What a world must not do. The raw value is what people read.
  public enum Rule: String, Sendable, CaseIterable {
    case pressLost, pressDoubled, pressInvented, pressUnheard, pressUntold
    case incidentOverdue, incidentNotOpened, incidentInvented
    case nobodyTold, toldOutOfOrder, toldAgainWithoutCause, endNotTold, wronglyTold
    case wayForgotten
    case ackBeforeCommit, lightBeforeCommit, answerBeforeCommit, answerMissing, answerDoubled
    case timerEarly, timerMissing, timerDoubled
    case stateOffGraph, stateForgotten
    case accountChanged, triggerIgnored
    case wrongOwner, twoLeaders
    case checkInUnasked, checkInForgotten, checkInInvented, checkInDoubled, completionLost
    case alarmHidden
    case messageUnasked, messageLost, messageDoubled, messageBeforeAlarm, messageByStranger
    case exerciseHidAlarm, exerciseInvented, totalWrong
    case answerLost, answerLeaked, reviewDoubled, changedWhileLocked
    case erasedComesBack
    case unprovedBelieved, staleCalm
    case queueOverLimit
    case notAckedInTime, notDeliveredInTime
    case timeStandsStill
  }

  /// The promise that was not kept.
  public let rule: Rule
  /// Time of the world, µs since its beginning.
  public let at: Instant
  /// Who and what, in words.
  public let detail: String

  /// `at` is when the rule was broken; for a deadline, when that was.
  public init(_ rule: Rule, at: Instant, _ detail: String) {
    self.rule = rule
    self.at = at
    self.detail = detail
  }

  public var description: String { "\(rule.rawValue): \(detail)" }
}

/// The first violations of one run: later ones mostly follow from them.
struct ViolationLog: Sendable {
  static let most = 16

  private(set) var violations: [Violation] = []

  mutating func accuse(
    _ rule: Violation.Rule, at now: Instant, _ detail: @autoclosure () -> String
  ) {
    guard violations.count < Self.most else { return }
    violations.append(Violation(rule, at: now, detail()))
  }
}
