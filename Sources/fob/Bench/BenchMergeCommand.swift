import ArgumentParser
import Bench
import Capture

/// `fob bench merge`: the runs of many machines as one.
struct BenchMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Make one report of those of many runs of fob bench latency.",
    discussion: """
      Each file is what fob bench latency --save has written, of one device, rate, build and set \
      of options. Machines may differ: the report names them all. Its figures are of the presses \
      of all runs together.
      """)

  @Argument(help: "Runs of fob bench latency.", completion: .file())
  var files: [String]

  @OptionGroup var output: JSONOption
  @OptionGroup var outputs: LatencyFiles

  func run() throws {
    try Failure.mapped {
      try output.begin()
      let opened = try outputs.open()
      var whole: BenchResult?
      var runs: [BenchResult] = []
      for file in files {
        let one: BenchResult
        do {
          one = try BenchFile.read(file)
        } catch {
          throw Failure(.usage, "\(error)")
        }
        if let known = runs.firstIndex(of: one) {
          throw Failure(.usage, "\(file) is the run of \(files[known]) once more")
        }
        runs.append(one)
        do throws(ComparisonRefusal) {
          whole = try whole?.merged(with: one) ?? one
        } catch {
          throw Failure(.usage, "cannot merge \(file): \(error.reason)")
        }
      }
      guard let whole else { throw Failure(.usage, "there is no run") }
      Terminal.line("\(files.count) runs on \(PrintableText.of(whole.environment.processor))")
      try LatencyOutcome(whole, old: nil).tell(opened, asJSON: output.json)
    }
  }
}
