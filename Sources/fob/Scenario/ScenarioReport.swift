import FobBase
import Foundation

/// How a scenario went, a line a step; as JSON with `--json`.
struct ScenarioReport {
  let timeline: Timeline

  func step(_ step: ScenarioStep, took: Interval, complaint: String?) {
    guard timeline.isJSON else {
      let words = complaint.map { "✗ \(step.text): \($0)" } ?? "✓ \(step.text)"
      return timeline.say("line \(step.line)", words, complaint == nil ? .good : .bad)
    }
    timeline.json(
      Step(
        line: step.line, step: step.text, ok: complaint == nil, error: complaint,
        us: took.microseconds))
  }

  func end(of scenario: Scenario, isKept: Bool, presses: Int) {
    guard timeline.isJSON else {
      let judged = "\(scenario.steps.count) steps, presses: \(presses), each exactly one entry"
      return timeline.say(
        "verdict", isKept ? "PASS \(scenario.name): \(judged)" : "FAIL \(scenario.name)",
        isKept ? .good : .bad)
    }
    timeline.json(Verdict(scenario: scenario.name, ok: isKept, presses: presses))
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
