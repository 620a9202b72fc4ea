import FobBase
import Judge
import Simulation

/// A world in which a rule was broken, for a person who has to find out why.
struct ViolationReport {
  /// Of the timeline.
  let lines: Int

  /// What the world is made of, what was done, and what was seen last.
  func say(_ outcome: Outcome) {
    for line in outcome.schedule.words { Terminal.line(line) }
    Terminal.line("timeline:")
    for line in WorldTimeline(outcome).last(lines) { Terminal.line(line) }
  }

  func say(_ found: SearchSummary.Found) {
    let violation = found.violation
    Terminal.line(
      "seed \(found.seed): \(violation.rule.rawValue) at \(NumberText.seconds(violation.at)):"
        + " \(violation.detail)")
  }

  func sayThatItDoesNotRepeat(_ found: SearchSummary.Found) {
    Terminal.line(
      "it does NOT repeat: the world is not deterministic; compare the hashes of"
        + " fob simulate --seeds \(found.seed)..\(found.seed) --hash")
  }

  /// - Parameter acts: of the shrunk schedule; nil: all.
  func repeating(_ seed: UInt64, acts: [Int]?) {
    let numbers = acts.map { $0.map(String.init).joined(separator: ",") }
    let option = numbers.map { " --acts \($0.isEmpty ? "''" : $0)" } ?? ""
    Terminal.line("repeat: fob simulate --seeds \(seed)..\(seed)\(option)")
  }
}
