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
      taken the note of it away. Of a folder whose rows are on a PostgreSQL server it reads those.
      """)

  @Option(help: "State folder. (default: $XDG_STATE_HOME/fob/bridge)", completion: .directory)
  var state: String?

  func run() throws {
    let directory = try state ?? StateFolder.standard("bridge")
    let check = try Failure.mapped { try StateCheck(directory: directory) }
    let place = check.server ?? "fob.sqlite"
    Terminal.line(
      check.faults.isEmpty
        ? "\(place) is whole: \(check.rows) rows"
        : "\(place) is damaged: \(check.faults.joined(separator: "; "))")
    if check.server == nil { Self.tellBackup(of: check) }
    for report in check.reports { Terminal.line("\(report.words); \(report.advice)") }
    guard check.faults.isEmpty, check.backupFaults.isEmpty, check.reports.isEmpty else {
      throw ExitCode(ExitStatus.expectationMissed.rawValue)
    }
  }

  private static func tellBackup(of check: StateCheck) {
    switch check.backup?.formatted(.iso8601) {
    case nil: Terminal.line("there is no backup: a clean stop makes one")
    case let date? where check.backupFaults.isEmpty: Terminal.line("the backup of \(date) is whole")
    case let date?:
      Terminal.line(
        "the backup of \(date) is damaged: \(check.backupFaults.joined(separator: "; "))")
    }
  }
}
