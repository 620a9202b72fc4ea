/// A finished run, to be told as text, JSON or JUnit XML.
package struct RunReport: Sendable {
  /// As in `fob 0.1.0`.
  package let application: String
  package let rig: String
  package let actuator: String
  package let seed: UInt64
  package let outcomes: [CaseOutcome]
  /// Further options that a repetition needs, as on the command line.
  package var options: [String] = []
  /// Where the capture of a failed case was written, by its id.
  package var captures: [String: String] = [:]

  package init(
    application: String, rig: String, actuator: String, seed: UInt64, outcomes: [CaseOutcome]
  ) {
    self.application = application
    self.rig = rig
    self.actuator = actuator
    self.seed = seed
    self.outcomes = outcomes
  }

  package var failed: [CaseOutcome] { outcomes.filter(\.isFailed) }
  package var passed: Int { outcomes.count { $0.isPassed } }
  package var notTested: Int {
    outcomes.count { if case .notTested = $0.verdict { true } else { false } }
  }
  package var notRun: Int {
    outcomes.count { if case .notRun = $0.verdict { true } else { false } }
  }
  /// Every case that could be tested was, and passed.
  package var isGood: Bool { failed.isEmpty && notRun == 0 && passed > 0 }

  /// The command that repeats one case.
  package func repeating(_ outcome: CaseOutcome) -> String {
    let by = actuator == "none" || rig == "memory:" ? "" : " --actuator \(Self.quoted(actuator))"
    let more = options.map { " " + Self.quoted($0) }.joined()
    return "fob conform \(Self.quoted(rig))\(by) --case \(outcome.tested.id) --seed \(seed)\(more)"
  }

  /// For a shell.
  static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/:._-=@%+,".utf8.contains(byte)
      }
    }
    return plain && !word.isEmpty
      ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
