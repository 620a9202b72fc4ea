import Judge

/// Which faults met which states in the middle of what, so that a blind spot shows.
public struct CoverageTable {
  private static let mostNeverLines = 12
  private let coverage: Coverage

  public init(_ coverage: Coverage) { self.coverage = coverage }

  public var lines: [String] { table + [totals, moments] + never }

  /// A cell says how many of the instants it was met in that there can be in its state.
  private var table: [String] {
    let names = Coverage.states.map { Figures.right(Self.heading($0), 10) }
    let rows = Fault.allCases.map { fault in
      Figures.left("  " + Self.name(fault), 20)
        + Coverage.states.map { state in
          let met = Self.moments(in: state).count { coverage.count(fault, in: state, $0) > 0 }
          let cell = met == 0 ? "·" : "\(met)/\(Self.moments(in: state).count)"
          return Figures.right(cell, 10)
        }.joined()
    }
    return ["  fault met in state" + names.joined()] + rows
  }

  private var totals: String {
    var met = 0
    var all = 0
    for fault in Fault.allCases {
      for state in Coverage.states {
        for moment in Self.moments(in: state) {
          all += 1
          if coverage.count(fault, in: state, moment) > 0 { met += 1 }
        }
      }
    }
    return "coverage: \(Figures.grouped(met)) of \(Figures.grouped(all)) cells"
      + " (faults × states × instants) met"
  }

  private var moments: String {
    "instants: "
      + Coverage.Moment.allCases.map { moment in
        var count = 0
        for fault in Fault.allCases {
          for state in Coverage.states { count += coverage.count(fault, in: state, moment) }
        }
        return "\(Self.name(moment)) \(Figures.grouped(count))"
      }.joined(separator: ", ")
  }

  /// Faults and states that never met, in any instant.
  private var never: [String] {
    var pairs: [String] = []
    for state in Coverage.states {
      for fault in Fault.allCases
      where Coverage.Moment.allCases.allSatisfy({ coverage.count(fault, in: state, $0) == 0 }) {
        pairs.append("never: \(Self.name(fault)) in \(state?.rawValue ?? "a host that is down")")
      }
    }
    guard pairs.count > Self.mostNeverLines else { return pairs }
    return pairs.prefix(Self.mostNeverLines) + ["never: \(pairs.count - Self.mostNeverLines) more"]
  }

  /// A host that is down neither commits nor tells nor starts.
  private static func moments(in state: Workflow?) -> [Coverage.Moment] {
    state == nil ? [.atRest, .pressing, .unacked, .away] : Coverage.Moment.allCases
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

  private static func name(_ moment: Coverage.Moment) -> String {
    switch moment {
    case .atRest: "at rest"
    case .pressing: "pressing"
    case .unacked: "unacked"
    case .committing: "committing"
    case .telling: "telling"
    case .starting: "starting"
    case .away: "away"
    }
  }

  /// `bootCounterLost` as `boot counter lost`.
  private static func name(_ fault: Fault) -> String {
    switch fault {
    case .wrongPIN: return "wrong PIN"
    case .gpsStory: return "GPS story"
    case .refused, .silent, .slow: return "way out \(fault)"
    default: break
    }
    return "\(fault)".map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }
}
