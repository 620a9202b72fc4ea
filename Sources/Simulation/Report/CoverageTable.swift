import Judge

/// Coverage as a table: which faults met which states during which activities.
public struct CoverageTable {
  private static let maxNeverLines = 12
  private let coverage: Coverage
  /// Attacks stand there only where somebody was on the wires.
  private let faults: [Fault]

  /// - Parameter coverage: of any number of worlds.
  public init(_ coverage: Coverage) {
    self.coverage = coverage
    let isAttacked = Fault.allCases.contains { $0.isAttack && coverage.hasMet($0) }
    faults = Fault.allCases.filter { isAttacked ? $0.isOfAttackedWorld : !$0.isAttack }
  }

  /// The table, two lines of totals, and up to 13 about pairs that never met.
  public var lines: [String] { table + [totals, activities] + never }

  /// A cell counts the activities in which the fault met the state, of all that the state can have.
  private var table: [String] {
    let names = Coverage.states.map { NumberText.right(Self.heading($0), 10) }
    let rows = faults.map { fault in
      NumberText.left("  " + Self.name(fault), 20)
        + Coverage.states.map { state in
          let met = Self.activities(in: state).count { coverage.count(fault, in: state, $0) > 0 }
          let cell = met == 0 ? "·" : "\(met)/\(Self.activities(in: state).count)"
          return NumberText.right(cell, 10)
        }.joined()
    }
    return ["  fault met in state" + names.joined()] + rows
  }

  private var totals: String {
    var met = 0
    var all = 0
    for fault in faults {
      for state in Coverage.states {
        for activity in Self.activities(in: state) {
          all += 1
          if coverage.count(fault, in: state, activity) > 0 { met += 1 }
        }
      }
    }
    return "coverage: \(NumberText.grouped(met)) of \(NumberText.grouped(all)) cells"
      + " (faults × states × instants) met"
  }

  private var activities: String {
    "instants: "
      + Coverage.Activity.allCases.map { activity in
        var count = 0
        for fault in faults {
          for state in Coverage.states { count += coverage.count(fault, in: state, activity) }
        }
        return "\(Self.name(activity)) \(NumberText.grouped(count))"
      }.joined(separator: ", ")
  }

  /// Pairs of fault and state that met in no activity.
  private var never: [String] {
    var pairs: [String] = []
    for state in Coverage.states {
      for fault in faults
      where Coverage.Activity.allCases.allSatisfy({ coverage.count(fault, in: state, $0) == 0 }) {
        pairs.append("never: \(Self.name(fault)) in \(state?.rawValue ?? "a host that is down")")
      }
    }
    guard pairs.count > Self.maxNeverLines else { return pairs }
    return pairs.prefix(Self.maxNeverLines) + ["never: \(pairs.count - Self.maxNeverLines) more"]
  }

  /// A host that is down neither commits nor tells nor starts nor asks.
  private static func activities(in state: Workflow?) -> [Coverage.Activity] {
    state == nil ? [.atRest, .pressing, .unacked, .away] : Coverage.Activity.allCases
  }

  // MARK: Names

  private static func heading(_ state: Workflow?) -> String {
    switch state {
    case .noEmergency: "none"
    case .alertCountdown: "countdown"
    case .emergencySending: "sending"
    case .emergencySent: "sent"
    case .emergencySendingFailed: "failed"
    case .emergencyEnded: "ended"
    case nil: "down"
    }
  }

  private static func name(_ activity: Coverage.Activity) -> String {
    switch activity {
    case .atRest: "at rest"
    case .pressing: "pressing"
    case .unacked: "unacked"
    case .committing: "committing"
    case .telling: "telling"
    case .starting: "starting"
    case .away: "away"
    case .asking: "asking"
    case .exercising: "exercising"
    }
  }

  /// Turns `bootCounterLost` into `boot counter lost`.
  private static func name(_ fault: Fault) -> String {
    switch fault {
    case .wrongPIN: return "wrong PIN"
    case .gpsStory: return "GPS story"
    case .refused, .silent, .slow: return "notification channel \(fault)"
    default: break
    }
    return "\(fault)".map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }
}
