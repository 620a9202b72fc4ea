import AlertCore
import Bridge
import FobBase

/// A bench run written down: what the bench is, what is done to it, and what has to come of that.
struct Scenario {
  var name: String
  /// Options of `fob run`, as on its command line.
  var options: [String]
  /// That of the bench; nil: a random one.
  var pin: PIN?
  /// The bench's account protects: check-ins and triggers raise the alarm.
  var isProtecting = false
  var steps: [ScenarioStep]

  /// How long a step waits for what it expects, unless it says otherwise.
  static let patience = Interval.seconds(10)

  /// Its clock begins with a whole minute, so that moments are the same at each run.
  var movesClock: Bool {
    steps.contains { step in
      switch step.action {
      case .advance, .series: true
      default: false
      }
    }
  }
}

/// One step, with the line of the file that it stands on.
struct ScenarioStep {
  enum Action {
    /// Asks the keychain or the bridge, as `fob ctl` does. `isRefused`: a refusal is what is
    /// expected.
    case ask(ControlQuestion, isRefused: Bool)
    /// Something happens, so many times since the last request.
    case wait(EventPattern, times: Int, within: Interval)
    /// Something does not happen for so long, nor has since the last request.
    case never(EventPattern, during: Interval)
    /// Readings are, or become, what they have to be, those of an account in this one; nil: in the
    /// one that has the keychain.
    case expect([ScenarioExpectation], of: AccountNumber?, within: Interval)
    case pause(Interval)
    /// Adds a series of check-ins. `isRefused`: as for `ask`.
    case series(ScenarioSeries, isRefused: Bool)
    /// Moves the clock of the bench on.
    case advance(Interval)

    /// The account that it names; nil: none, so that it is about the one that has the keychain, or
    /// hears all.
    var account: AccountNumber? {
      switch self {
      case .ask(let question, _): question.account
      case .wait(let pattern, _, _), .never(let pattern, _): pattern.account
      case .expect(_, let account, _): account
      case .series(let series, _): series.account
      case .pause, .advance: nil
      }
    }
  }

  var line: Int
  /// As it stands in the file, on one line.
  var text: String
  var action: Action
}

/// A series of check-ins, by the API's form.
struct ScenarioSeries {
  var draft: CheckInDraft
  /// From the whole minute that it is then, instead of a day and time.
  var dueIn: Interval?
  var pin: String?
  /// Nil: the one that has the keychain.
  var account: AccountNumber?
}

/// One reading and what it has to be.
struct ScenarioExpectation {
  enum Comparison: String { case equal = "", atMost = "<=", atLeast = ">=" }

  var reading: String
  var comparison: Comparison
  var value: String

  /// - Parameter value: as written: `3`, `accepted`, `<=50`.
  init(_ reading: String, _ value: String) {
    self.reading = reading
    let sign = [Comparison.atMost, .atLeast].first { value.hasPrefix($0.rawValue) } ?? .equal
    comparison = sign
    self.value = value.dropFirst(sign.rawValue.count).trimmingPrefix { $0 == " " }.description
  }

  func isMet(by actual: String) -> Bool {
    switch comparison {
    case .equal: return actual == value
    case .atMost, .atLeast:
      guard let actual = Double(actual), let bound = Double(value) else { return false }
      return comparison == .atMost ? actual <= bound : actual >= bound
    }
  }
}
