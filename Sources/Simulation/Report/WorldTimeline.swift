public import FobBase
public import Judge

/// The actions on a world and the observations in it, one line each, in the order of time.
public struct WorldTimeline {
  /// A contact that moves again within this time bounces.
  private static let bounce = Interval.milliseconds(10)

  private let all: [String]

  /// - Parameter outcome: played with `keepingJournal`; without it only actions and violations are
  ///   shown.
  public init(_ outcome: Outcome) {
    var lines: [String] = []
    var text = ObservationText()
    var acts = outcome.schedule.acts[...]
    let end = outcome.violations.first?.at ?? outcome.schedule.setting.end
    func perform(upTo at: Instant) {
      while let act = acts.first, act.at <= at {
        acts.removeFirst()
        lines.append(Self.line(act))
      }
    }
    for (index, observation) in outcome.journal.enumerated() {
      perform(upTo: observation.at)
      let words = text.words(observation.what)
      if Self.isShown(observation, before: outcome.journal[(index + 1)...], outcome) {
        lines.append(Self.line(observation.at, words.who, words.what))
      }
    }
    perform(upTo: end)
    for violation in outcome.violations {
      lines.append(Self.line(violation.at, "JUDGE", violation.description))
    }
    all = lines
  }

  /// The last lines, and a line that counts those before.
  /// - Parameter count: how many lines.
  public func last(_ count: Int) -> [String] {
    guard count < all.count else { return all }
    return ["  … \(NumberText.count(all.count - count, "line")) before"] + all.suffix(count)
  }

  /// Leaves out lengths of queues within their limits, heartbeats, and all positions of a bouncing
  /// contact but the last.
  private static func isShown(
    _ observation: TimedObservation, before later: ArraySlice<TimedObservation>, _ outcome: Outcome
  ) -> Bool {
    switch observation.what {
    case .queues:
      return outcome.violations.contains { $0.rule == .queueOverLimit && $0.at == observation.at }
    case .beat, .sent, .believed: return false
    case .contact(let keychain, _):
      for next in later {
        guard next.at - observation.at < bounce else { return true }
        if case .contact(keychain, _) = next.what { return false }
      }
      return true
    default: return true
    }
  }

  private static func line(_ act: ScheduledAction) -> String {
    line(act.at, "act \(act.number)", "\(act.action.object): \(act.action.words)")
  }

  private static func line(_ at: Instant, _ who: String, _ what: String) -> String {
    "\(NumberText.right(NumberText.seconds(at), 15))  \(NumberText.left(who, 11))  \(what)"
  }
}

/// One observation, with its time.
public struct TimedObservation: Sendable {
  /// Time of the world, µs from its beginning.
  public let at: Instant
  /// As the judge was told.
  public let what: Observation
}
