import ArgumentParser
import Bench

/// `fob bench debounce`: which rule and which time tell presses from bounce.
struct DebounceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "debounce",
    abstract: "Measure what rules against contact bounce miss, double and make up.",
    discussion: """
      Draws contacts from the seed: presses that are short, slow, trembling or made on worn \
      switches, and shocks, vibration and electrical bursts, which are none. How long contacts \
      bounce is taken from published measurements. Each rule is given the same contacts, with each \
      debounce time from 1 to 50 ms.

      integrator counts time closed up and time open down, between 0 and the debounce time. early \
      is what the keychain does: the same, and a contact that is closed for three quarters of the \
      time without a break is a press already. restart is the common timer that every edge starts \
      over.

      It says at which times a rule is as safe as the keychain, early at 20 ms: no more missed, \
      doubled and false presses on the same contacts.
      """)

  @Option(help: "Random seed of the contacts.")
  var seed: UInt64 = 1

  @Option(help: "Contacts of each kind, 1 to 100000.")
  var count = 1_000

  @OptionGroup var output: JSONOption

  @Option(
    name: .customLong("svg"), help: "Write the curves to this file, as SVG; -: standard output.",
    completion: .file(extensions: ["svg"]))
  var drawing: String?

  func validate() throws {
    guard (1...100_000).contains(count) else {
      throw ValidationError("--count takes 1 to 100000")
    }
  }

  func run() throws {
    try Failure.mapped {
      try output.begin()
      let file = try drawing.map { path throws(Failure) in try OutputFile(path) }
      let report = measure()
      try file?.write(DebouncePlot(report).markup)
      if output.json {
        try Terminal.json(report)
      } else {
        for line in report.lines { Terminal.line(line) }
      }
    }
  }

  private func measure() -> DebounceReport {
    let bench = DebounceBench(seed: seed, count: count)
    let rules = DebounceBench.Rule.allCases
    var progress = ProgressLine("debounce times", of: rules.count * DebounceBench.times.count)
    var outcomes: [DebounceOutcome] = []
    for rule in rules {
      for time in DebounceBench.times {
        progress.show(outcomes.count)
        outcomes.append(bench.outcome(of: rule, at: time))
      }
    }
    return DebounceReport(seed: seed, count: count, outcomes: outcomes)
  }
}
