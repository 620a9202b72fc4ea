import ArgumentParser
import Bench
import FobBase
import Foundation
import SerialIO

/// `fob bench start`: how long `fob run` takes from exec to a keychain that is found and armed.
struct StartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Measure how long fob run takes from exec until its keychain is found and armed.",
    discussion: """
      Runs this very program again and again. The time begins right before the process is asked \
      for, and ends when its line has come that says so: found, the keychain is linked; armed, the \
      keychain itself says that it shows idle, so a press would be carried to its end.
      """)

  @Option(help: "How often fob run is started, 1 to 100000.")
  var runs = 50

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard (1...100_000).contains(runs) else {
      throw ValidationError("--runs takes 1 to 100000")
    }
  }

  func run() throws {
    try Failure.mapped {
      try output.begin()
      try Interruption.cleansUp()
      let folder = try StateFolder.temporary()
      defer { StateFolder.remove(folder) }
      var found: [Int64] = []
      var armed: [Int64] = []
      var progress = ProgressLine("starts", of: runs)
      for done in 0..<runs {
        progress.show(done)
        let start = try StartRun(in: folder)
        found.append(start.found.microseconds)
        armed.append(start.armed.microseconds)
      }
      try say(StartFigures(found), StartFigures(armed))
    }
  }

  private struct Report: Encodable {
    let bench = "start"
    let runs: Int
    let found: StartFigures
    let armed: StartFigures
  }

  private func say(_ found: StartFigures, _ armed: StartFigures) throws {
    if output.json {
      try Terminal.json(Report(runs: runs, found: found, armed: armed))
      return
    }
    Terminal.line("fob run from exec, \(runs) runs, in ms")
    Terminal.line("            median       p99       max")
    Terminal.line("  found  " + found.columns)
    Terminal.line("  armed  " + armed.columns)
  }
}

/// One start of `fob run`.
struct StartRun {
  /// From just before it was asked for.
  let found: Interval
  let armed: Interval

  private static let patience = Interval.seconds(30)

  private struct Line: Decodable {
    struct Milestone: Decodable { let name: String }
    struct Light: Decodable { let shown: String? }
    let happening: Milestone?
    let led: Light?
  }

  /// - Parameter folder: where it keeps what is temporary.
  init(in folder: String) throws {
    var program = try ChildProcess(["run", "--json"], variables: ["TMPDIR": folder])
    let deadline = program.began + Self.patience
    var found: Interval?
    while let line = try program.line(until: deadline) {
      let passed = line.at - program.began
      guard let told = try? JSONDecoder().decode(Line.self, from: Data(line.text.utf8)) else {
        continue
      }
      if told.happening?.name == "linkUp", found == nil { found = passed }
      guard told.led?.shown == "idle", let found else { continue }
      self.found = found
      armed = passed
      program.stop()
      return
    }
    throw Failure(.timedOut, "fob run was not armed within 30 s")
  }
}

/// Of many starts, µs.
struct StartFigures: Encodable, Equatable {
  let median: Int64
  let p99: Int64
  let max: Int64

  /// - Parameter times: at least one.
  init(_ times: [Int64]) {
    guard let spread = Spread(times) else { preconditionFailure("figures of no time") }
    (median, p99, max) = (spread.median, spread.p99, spread.largest)
  }

  var columns: String { [median, p99, max].map(StageTable.column).joined() }
}
