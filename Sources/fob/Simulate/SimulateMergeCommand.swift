import ArgumentParser
import Capture
import Control
import FobBase
import Simulation

/// `fob simulate merge`: the reports of many machines as one.
struct SimulateMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Make one report of those of many machines.",
    discussion: """
      Each file is what fob simulate --json has printed. Ends with 1 where a rule was broken, or a \
      seed between them, or one of --expect, was not played.
      """)

  @Argument(help: "Reports of fob simulate --json.", completion: .file())
  var files: [String]

  @Option(help: "All these seeds should have been played, e.g. 1..1000.")
  var expect: SeedRange?

  @OptionGroup var output: JSONOption

  func run() throws {
    try output.begin()
    let report = try Self.merged(files)
    let missing = wanted(by: report).map { report.missing(of: $0) } ?? []
    if output.json {
      try Terminal.json(report)
    } else {
      for line in CoverageTable(Coverage(report)).lines { Terminal.line(line) }
      for finding in report.violations { say(finding, of: report) }
      Terminal.line("trace hash of all \(report.hash)")
      Terminal.line(PlaySpeed.words(of: report))
    }
    for range in missing {
      Terminal.error("not played: \(range.lowerBound)..\(range.upperBound)")
    }
    guard report.violations.isEmpty, missing.isEmpty else {
      throw ExitCode(ExitStatus.expectationMissed.rawValue)
    }
  }

  private func wanted(by report: SearchReport) -> ClosedRange<UInt64>? {
    if let expect { return expect.range }
    guard let first = report.seeds.first, let last = report.seeds.last else { return nil }
    return first.first...last.last
  }

  private func say(_ finding: SearchReport.Finding, of report: SearchReport) {
    Terminal.line(
      "seed \(finding.seed): \(PrintableText.of(finding.rule)) at"
        + " \(NumberText.seconds(Instant(microseconds: finding.at))):"
        + " \(PrintableText.of(finding.detail))")
    ViolationReport(lines: 0, isAttacked: report.attacked).repeating(finding.seed, acts: nil)
  }

  private static func merged(_ files: [String]) throws(Failure) -> SearchReport {
    var whole: SearchReport?
    for file in files {
      for line in try TextFile.read(file).split(separator: "\n") {
        guard let report = try? JSONLine.decode(SearchReport.self, from: Array(line.utf8)),
          report.isSound
        else {
          throw Failure(.usage, "cannot read \(file): it is no report of fob simulate --json")
        }
        do throws(SearchReport.Mismatch) {
          whole = try whole?.merged(with: report) ?? report
        } catch {
          throw Failure(.usage, "cannot merge \(file): \(error.words)")
        }
        // No sum of two overflows; one that is past all bounds is no search's.
        guard whole?.isSound == true else {
          throw Failure(.usage, "cannot merge \(file): its counts are past all bounds")
        }
      }
    }
    guard let whole else {
      throw Failure(.usage, "there is no report in \(files.joined(separator: ", "))")
    }
    return whole
  }
}

extension SearchReport.Mismatch {
  fileprivate var words: String {
    switch self {
    case .otherWorlds: "a seed means another world there: all must come from one build of fob"
    case .attacked: "--attacked was given for some of the reports alone"
    case .playedTwice(let seed): "seed \(seed) is in another report, too"
    }
  }
}
