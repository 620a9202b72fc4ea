import ArgumentParser

/// `fob doctor`: whether this machine is fit for a bench, and what to do where it is not.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check everything that a bench needs, and say how to fix what is missing.",
    discussion: """
      One line for each thing: ok, a warning, or an error. Ends with 1 where something is an \
      error. No port is opened and nothing is changed; in the state folder a file of 60 KB is \
      written, to see how long the disk takes, and removed.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(help: "State folder. (default: $XDG_STATE_HOME/fob/bridge)")
  var state: String?

  @Option(help: "Check etc, dev, lib, proc, run, sys and usr of this folder. (default: /)")
  var root: String?

  private struct Answer: Encodable {
    let worst: Finding.Level
    let findings: [Finding]
  }

  func run() throws {
    let findings = try Self.findings(
      BenchRoot(root: root ?? ""), state: state ?? StateFolder.standard("bridge"))
    let worst = findings.map(\.level).max() ?? .ok
    if json {
      try Terminal.json(Answer(worst: worst, findings: findings))
    } else {
      for finding in findings { Terminal.line(finding.line) }
    }
    guard worst < .error else { throw ExitCode(ExitStatus.expectationMissed.rawValue) }
  }

  static func findings(_ bench: BenchRoot, state: String) -> [Finding] {
    let checks: [any BenchCheck.Type] = [
      GroupCheck.self, RuleCheck.self, ModuleCheck.self, RivalCheck.self, AdapterCheck.self,
      ClockCheck.self, LimitCheck.self, RealTimeCheck.self, LoadCheck.self,
    ]
    return checks.flatMap { $0.init(bench).findings }
      + StateFolderCheck(bench, state: state).findings + RuntimeFolderCheck().findings
  }
}
