import FobBase

extension RunReport {
  /// The run as JUnit XML: a suite a chapter, `skipped` for what was not tested.
  package func junit() -> String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    lines.append(
      "<testsuites name=\"fob conform \(Self.xml(rig))\" \(Self.counts(outcomes))>")
    for chapter in Chapter.allCases {
      let outcomes = outcomes.filter { $0.tested.chapter == chapter }
      guard !outcomes.isEmpty else { continue }
      lines.append("  <testsuite name=\"\(chapter.rawValue)\" \(Self.counts(outcomes))>")
      lines += outcomes.flatMap(lines(of:))
      lines.append("  </testsuite>")
    }
    lines.append("</testsuites>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of outcome: CaseOutcome) -> [String] {
    let tested = outcome.tested
    let name = Self.xml("\(tested.slug): \(tested.name)")
    let begin =
      "    <testcase classname=\"conform.\(tested.chapter.rawValue)\" name=\"\(name)\""
      + " time=\"\(Self.seconds(outcome.took))\""
    switch outcome.verdict {
    case .passed: return [begin + "/>"]
    case .notTested(let reason), .notRun(let reason):
      return [begin + ">", "      <skipped message=\"\(Self.xml(reason))\"/>", "    </testcase>"]
    case .failed(let reason):
      var text = ["PROTOCOL.md, \(tested.section)"] + outcome.steps
      text.append("again: \(repeating(outcome))")
      return [
        begin + ">",
        "      <failure message=\"\(Self.xml(reason))\">\(Self.xml(text.joined(separator: "\n")))"
          + "</failure>",
        "    </testcase>",
      ]
    }
  }

  private static func counts(_ outcomes: [CaseOutcome]) -> String {
    let failed = outcomes.count { $0.isFailed }
    let skipped = outcomes.count { !$0.isFailed && !$0.isPassed }
    let took = Interval(microseconds: outcomes.reduce(0) { $0 + $1.took.microseconds })
    return "tests=\"\(outcomes.count)\" failures=\"\(failed)\" errors=\"0\" skipped=\"\(skipped)\""
      + " time=\"\(seconds(took))\""
  }

  private static func seconds(_ interval: Interval) -> String {
    let ms = max(0, interval.microseconds / 1_000)
    let thousandths = String(ms % 1_000)
    return "\(ms / 1_000)." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
  }

  /// Characters that XML 1.0 does not have are left out.
  static func xml(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\t": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
