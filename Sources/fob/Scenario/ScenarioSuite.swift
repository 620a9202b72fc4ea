import ArgumentParser
import Emulator
import FobBase
import SerialIO

/// What `fob run` says of scenarios.
struct ScenarioOptions: ParsableArguments {
  @Option(
    name: .customLong("scenario"), parsing: .upToNextOption,
    help: ArgumentHelp(
      """
      Play and judge these scenarios, YAML files, one after the other; only --json, --state (for \
      one), --junit and --check may be added.
      """, valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var files: [String] = []

  @Option(
    help: "With --scenario: write how each went to this file as JUnit XML; - is standard output.",
    completion: .file())
  var junit: String?

  @Flag(help: "With --scenario: read and check the files, and play none.")
  var check = false

  func validate() throws {
    guard !files.isEmpty || (junit == nil && !check) else {
      throw ValidationError("--junit and --check say nothing without --scenario")
    }
    guard junit == nil || !check else {
      throw ValidationError("--check plays nothing: --junit has nothing to tell")
    }
  }
}

/// The scenarios of one `fob run`, in their order.
struct ScenarioSuite {
  let paths: [String]
  let isJSON: Bool

  private struct Checked: Encodable {
    let type = "checked"
    let file: String
    let ok: Bool
    var steps: Int?
    var error: String?
  }

  // MARK: Check

  /// Reads every file, and tells of each.
  /// - Throws: `Failure` of the first that cannot be played.
  func check() throws {
    var wrong: [Failure] = []
    for path in paths {
      do throws(Failure) {
        let scenario = try Self.read(path)
        try Self.checkRequests(of: scenario, path)
        try tell(Checked(file: path, ok: true, steps: scenario.steps.count))
      } catch {
        wrong.append(error)
        try tell(Checked(file: path, ok: false, error: error.text))
      }
    }
    guard let first = wrong.first else { return }
    throw Failure(first.status, "\(wrong.count) of \(paths.count) scenarios cannot be played")
  }

  private func tell(_ checked: Checked) throws(Failure) {
    guard !isJSON else { return try Failure.mapped { try Terminal.json(checked) } }
    Terminal.line(checked.error ?? "\(checked.file): \(checked.steps ?? 0) steps, can be played")
  }

  private static func read(_ path: String) throws(Failure) -> Scenario {
    try ScenarioReader.read(TextFile.read(path), path: path)
  }

  /// A keychain would refuse these as soon as it is asked.
  private static func checkRequests(of scenario: Scenario, _ path: String) throws(Failure) {
    for step in scenario.steps {
      guard case .ask(let question, isRefused: false) = step.action, !question.isOfBridge else {
        continue
      }
      let line = try Failure.mapped { try question.line() }
      guard let refusal = EmulatedKeychain.refusal(of: Array(line.utf8)) else { continue }
      throw Failure(.usage, "\(path), line \(step.line): \(refusal)")
    }
  }

  // MARK: Play

  /// Plays them; one that fails does not end the others.
  /// - Parameters:
  ///   - junit: where the report goes.
  ///   - bench: plays one on a bench of its own.
  /// - Throws: `Failure`: of the one, or how many failed.
  func play(
    junit: OutputFile?, on bench: (Scenario, ScenarioReport) throws -> Void
  ) throws {
    // All are read first: a word that is wrong in the last is said at once.
    let scenarios = try paths.map { try Self.read($0) }
    var reports: [ScenarioReport] = []
    var failures: [Failure] = []
    for (path, scenario) in zip(paths, scenarios) {
      let timeline = Timeline(isJSON: isJSON, began: BootClock.now())
      let report = ScenarioReport(scenario, path: path, timeline: timeline)
      if paths.count > 1 { timeline.say("scenario", path, .strong) }
      reports.append(report)
      do throws(Failure) {
        try Failure.mapped { try bench(scenario, report) }
        report.end(nil)
      } catch {
        report.end(error.text)
        if paths.count > 1 { Terminal.error("fob: \(path): \(error.text)") }
        failures.append(error)
      }
    }
    try junit?.write(ScenarioReport.junit(reports))
    guard let first = failures.first else { return }
    guard paths.count > 1 else { throw first }
    throw Failure(first.status, "\(failures.count) of \(paths.count) scenarios failed")
  }
}
