import ArgumentParser

/// `fob doctor`: whether this machine is fit for a bench, and what to do where it is not.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Looks at everything that a bench needs, and says how to fix what it lacks.",
    discussion: """
      One line for each thing: ok, a warning, or an error. Ends with 1 where something is an \
      error. No port is opened and nothing is changed; in the state folder a file of 60 KB is \
      written, to see how long the disk takes, and removed.
      """)

  @Flag(help: "One object of JSON.")
  var json = false

  @Option(help: "The state folder. (default: $XDG_STATE_HOME/fob/bridge)")
  var state: String?

  @Option(help: "Looks at etc, dev, lib, proc, run, sys and usr of this folder. (default: /)")
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
