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
  private struct Case {
    let name: String
    var took = Interval.zero
    var failure: String?
    var isSkipped = false
  }

  /// A suite for each scenario, a case for each step, and one for what holds of the whole.
  static func junit(_ reports: [ScenarioReport]) -> String {
    let lines =
      [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites name=\"fob run\">"]
      + reports.flatMap(\.suite) + ["</testsuites>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var cases: [Case] {
    let played = steps.map { Case(name: $0.name, took: $0.took, failure: $0.complaint) }
    let left = scenario.steps.dropFirst(steps.count).map {
      Case(name: "line \($0.line): \($0.text)", isSkipped: true)
    }
    var whole = Case(name: "each press is exactly one entry")
    if played.contains(where: { $0.failure != nil }) {
      whole.isSkipped = true
    } else {
      whole.failure = complaint
    }
    return played + left + [whole]
  }

  private var suite: [String] {
    let cases = cases
    let failed = cases.count { $0.failure != nil }
    let skipped = cases.count(where: \.isSkipped)
    let head =
      "  <testsuite name=\"\(XML.escape(scenario.name))\" file=\"\(XML.escape(path))\""
      + " tests=\"\(cases.count)\" failures=\"\(failed)\" errors=\"0\" skipped=\"\(skipped)\""
      + " time=\"\(Self.seconds(took))\">"
    return [head] + cases.flatMap(lines) + ["  </testsuite>"]
  }

  private func lines(of tested: Case) -> [String] {
    let begin =
      "    <testcase classname=\"\(XML.escape(path))\" name=\"\(XML.escape(tested.name))\""
      + " time=\"\(Self.seconds(tested.took))\""
    if tested.isSkipped { return [begin + ">", "      <skipped/>", "    </testcase>"] }
    guard let failure = tested.failure else { return [begin + "/>"] }
    return [
      begin + ">", "      <failure message=\"\(XML.escape(failure))\"/>", "    </testcase>",
    ]
  }

  private static func seconds(_ interval: Interval) -> String {
    StageTable.thousandths(interval.microseconds / 1_000)
  }
}
