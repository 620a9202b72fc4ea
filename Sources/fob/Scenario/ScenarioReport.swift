import FobBase
import SerialIO

/// How a scenario went: a line a step, as JSON with `--json`, and as JUnit XML at the end.
final class ScenarioReport {
  let timeline: Timeline
  private let scenario: Scenario
  private let path: String
  private let began = BootClock.now()
  private var steps: [(name: String, took: Interval, complaint: String?)] = []
  /// Why the whole failed; nil while it goes on, and where it is kept.
  private var complaint: String?
  private var took = Interval.zero

  init(_ scenario: Scenario, path: String, timeline: Timeline) {
    self.scenario = scenario
    self.path = path
    self.timeline = timeline
  }

  func step(_ step: ScenarioStep, took: Interval, complaint: String?) {
    steps.append(("line \(step.line): \(step.text)", took, complaint))
    guard timeline.isJSON else {
      let words = complaint.map { "✗ \(step.text): \($0)" } ?? "✓ \(step.text)"
      return timeline.say("line \(step.line)", words, complaint == nil ? .good : .bad)
    }
    timeline.json(
      Step(
        line: step.line, step: step.text, ok: complaint == nil, error: complaint,
        us: took.microseconds))
  }

  func judged(isKept: Bool, presses: Int) {
    guard timeline.isJSON else {
      let judged = "\(scenario.steps.count) steps, presses: \(presses), each exactly one entry"
      return timeline.say(
        "verdict", isKept ? "PASS \(scenario.name): \(judged)" : "FAIL \(scenario.name)",
        isKept ? .good : .bad)
    }
    timeline.json(Verdict(scenario: scenario.name, ok: isKept, presses: presses))
  }

  /// - Parameter complaint: why it failed, in a step or beside them; nil where all came true.
  func end(_ complaint: String?) {
    self.complaint = complaint
    took = BootClock.now() - began
  }

  private struct Step: Encodable {
    let type = "step"
    let line: Int
    let step: String
    let ok: Bool
    let error: String?
    /// How long it took, in microseconds.
    let us: Int64
  }

  private struct Verdict: Encodable {
    let type = "verdict"
    let scenario: String
    let ok: Bool
    let presses: Int
  }
}

extension ScenarioReport {
  /// A suite for each scenario, a case for each step, and one for what holds of the whole.
  static func junit(_ reports: [ScenarioReport]) -> String {
    JUnit.document("fob run", reports.map(\.suite), isCounted: false)
  }

  private var suite: JUnit.Suite {
    let played = steps.map { step in
      JUnit.Case(
        path, step.name, took: step.took, step.complaint.map { .failed($0) } ?? .passed)
    }
    let left = scenario.steps.dropFirst(steps.count).map {
      JUnit.Case(path, "line \($0.line): \($0.text)", took: .zero, .skipped(nil))
    }
    let isBroken = steps.contains { $0.complaint != nil }
    let whole = JUnit.Case(
      path, "each press is exactly one entry", took: .zero,
      isBroken ? .skipped(nil) : complaint.map { .failed($0) } ?? .passed)
    return JUnit.Suite(scenario.name, file: path, took: took, played + left + [whole])
  }
}
