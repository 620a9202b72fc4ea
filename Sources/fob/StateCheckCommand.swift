import ArgumentParser
import Foundation
import Storage

/// `fob state check`: whether a state folder is whole, and what it could go back to.
struct StateCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a state folder and its backup for damage.",
    discussion: """
      Reads every page and every row of the database and of its backup; a fob that runs on the \
      folder goes on meanwhile. Ends with 1 where something is damaged, or was and nobody has \
      taken the note of it away.
      """)

  @Option(help: "State folder. (default: $XDG_STATE_HOME/fob/bridge)", completion: .directory)
  var state: String?

  func run() throws {
    let directory = try state ?? StateFolder.standard("bridge")
    let check = try Failure.mapped { try StateCheck(directory: directory) }
    Terminal.line(
      check.faults.isEmpty
        ? "fob.sqlite is whole: \(check.rows) rows"
        : "fob.sqlite is damaged: \(check.faults.joined(separator: "; "))")
    switch check.backup?.formatted(.iso8601) {
    case nil: Terminal.line("there is no backup: a clean stop makes one")
    case let date? where check.backupFaults.isEmpty: Terminal.line("the backup of \(date) is whole")
    case let date?:
      Terminal.line(
        "the backup of \(date) is damaged: \(check.backupFaults.joined(separator: "; "))")
    }
    for report in check.reports { Terminal.line("\(report.words); \(report.advice)") }
    guard check.faults.isEmpty, check.backupFaults.isEmpty, check.reports.isEmpty else {
      throw ExitCode(ExitStatus.expectationMissed.rawValue)
    }
  }
}
