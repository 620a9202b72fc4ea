import FobBase

extension RunReport {
  /// One case as it is known.
  package static func line(of outcome: CaseOutcome) -> String {
    let word = outcome.word.padded(to: 10)
    return "\(word)  \(outcome.tested.id.padded(to: 34))  \(outcome.tested.name)"
  }

  /// What stands behind a case that failed.
  package func explanation(of outcome: CaseOutcome) -> [String] {
    var lines = ["", "\(outcome.tested.id): \(outcome.tested.name)"]
    lines.append("  PROTOCOL.md, \(outcome.tested.section)")
    lines += outcome.steps.map { "  \($0)" }
    lines.append("  FAILED: \(outcome.reason ?? "")")
    if let path = captures[outcome.tested.id] { lines.append("  capture: \(path)") }
    lines.append("  again: \(repeating(outcome))")
    return lines
  }

  /// What could not be tested, and why: each reason once.
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
