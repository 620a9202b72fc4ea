import FobBase
import Foundation

/// A finished run, to be told as text, JSON or JUnit XML.
package struct RunReport: Sendable {
  /// The program and its version, as in `fob 0.1.0`.
  package let application: String
  /// The rig's name, as `fob conform` takes it.
  package let rig: String
  /// As `--actuator` takes it.
  package let actuator: String
  /// The seed of all random choices of the run.
  package let seed: UInt64
  /// One for each case, in the order of the run.
  package let outcomes: [CaseOutcome]
  /// Further options that a repetition needs, as on the command line.
  package var options: [String] = []
  /// The paths of failed cases' captures, by the id of the case.
  package var captures: [String: String] = [:]

  /// `options` and `captures` are empty until they are set.
  package init(
    application: String, rig: String, actuator: String, seed: UInt64, outcomes: [CaseOutcome]
  ) {
    self.application = application
    self.rig = rig
    self.actuator = actuator
    self.seed = seed
    self.outcomes = outcomes
  }

  /// The cases that failed, in order.
  package var failed: [CaseOutcome] { outcomes.filter(\.isFailed) }
  /// How many cases passed.
  package var passed: Int { outcomes.count { $0.isPassed } }
  /// How many cases this rig cannot test.
  package var notTested: Int {
    outcomes.count { if case .notTested = $0.verdict { true } else { false } }
  }
  /// How many cases were left out, as the run had ended before them.
  package var notRun: Int {
    outcomes.count { if case .notRun = $0.verdict { true } else { false } }
  }
  /// Every case that could be tested was run and passed, and there was at least one.
  package var isGood: Bool { failed.isEmpty && notRun == 0 && passed > 0 }

  /// The command that repeats one case.
  package func repeating(_ outcome: CaseOutcome) -> String {
    let by = actuator == "none" || rig == "memory:" ? "" : " --actuator \(Self.quoted(actuator))"
    let more = options.map { " " + Self.quoted($0) }.joined()
    return "fob conform \(Self.quoted(rig))\(by) --case \(outcome.tested.id) --seed \(seed)\(more)"
  }

  /// Quotes a word for a shell where it needs to be.
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

extension RunReport {
  /// One line for a case whose outcome is known.
  package static func line(of outcome: CaseOutcome) -> String {
    let word = outcome.word.padded(to: 10)
    return "\(word)  \(outcome.tested.id.padded(to: 34))  \(outcome.tested.name)"
  }

  /// The lines that explain a failed case: steps, reason, capture, and the command that repeats it.
  package func explanation(of outcome: CaseOutcome) -> [String] {
    var lines = ["", "\(outcome.tested.id): \(outcome.tested.name)"]
    lines.append("  PROTOCOL.md, \(outcome.tested.section)")
    lines += outcome.steps.map { "  \($0)" }
    lines.append("  FAILED: \(outcome.reason ?? "")")
    if let path = captures[outcome.tested.id] { lines.append("  capture: \(path)") }
    lines.append("  again: \(repeating(outcome))")
    return lines
  }

  /// Says which cases could not be tested and why, one line for each reason.
  package var gaps: [String] {
    var reasons: [(reason: String, ids: [String])] = []
    for outcome in outcomes {
      guard case .notTested(let reason) = outcome.verdict else { continue }
      if let index = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[index].ids.append(outcome.tested.id)
      } else {
        reasons.append((reason, [outcome.tested.id]))
      }
    }
    return reasons.map { "not tested: \($0.ids.joined(separator: ", ")): \($0.reason)" }
  }

  /// One line with the counts and the seed.
  package var summary: String {
    var parts = ["\(passed) passed", "\(failed.count) failed"]
    if notTested > 0 { parts.append("\(notTested) NOT TESTED") }
    if notRun > 0 { parts.append("\(notRun) not run") }
    return "\(outcomes.count) cases on \(rig): \(parts.joined(separator: ", ")), seed \(seed)"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension RunReport {
  /// The run as one JSON object.
  /// - Parameter isPretty: over several lines, with a newline at its end; else one line without.
  package func json(isPretty: Bool = true) throws -> String {
    try document.json(isPretty: isPretty)
  }

  private var document: RunDocument {
    RunDocument(
      application: application, rig: rig, actuator: actuator, seed: String(seed),
      cases: outcomes.map { outcome in
        RunDocument.Case(
          id: outcome.tested.id, name: outcome.tested.name, section: outcome.tested.section,
          verdict: RunDocument.Verdict(outcome.verdict), reason: outcome.reason,
          steps: outcome.steps, milliseconds: Double(outcome.took.microseconds) / 1_000,
          capture: captures[outcome.tested.id],
          repeat: outcome.isFailed ? repeating(outcome) : nil)
      })
  }
}

extension RunReport {
  /// The run as JUnit XML: a suite for each chapter, and `skipped` for each case not tested.
  package func junit() -> String {
    let suites = Chapter.allCases.compactMap { chapter -> JUnit.Suite? in
      let outcomes = outcomes.filter { $0.tested.chapter == chapter }
      return outcomes.isEmpty ? nil : JUnit.Suite(chapter.rawValue, outcomes.map(junit))
    }
    return JUnit.document("fob conform \(rig)", suites, isCounted: true)
  }

  private func junit(_ outcome: CaseOutcome) -> JUnit.Case {
    let tested = outcome.tested
    let verdict: JUnit.Case.Verdict
    switch outcome.verdict {
    case .passed: verdict = .passed
    case .notTested(let reason), .notRun(let reason): verdict = .skipped(reason)
    case .failed(let reason):
      let more = ["PROTOCOL.md, \(tested.section)"] + outcome.steps
      verdict = .failed(
        reason, more: (more + ["again: \(repeating(outcome))"]).joined(separator: "\n"))
    }
    return JUnit.Case(
      "conform.\(tested.chapter.rawValue)", "\(tested.slug): \(tested.name)",
      took: outcome.took, verdict)
  }
}
