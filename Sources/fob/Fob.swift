import ArgumentParser
import CLinux
import Glibc
import SerialIO

/// The command line. One file a command; errors become exit codes in `ExitStatus`.
@main
struct Fob: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fob",
    abstract: "A bench for keychain panic alarms: emulated firmware, bridge and alert core.",
    discussion: """
      Exit codes: \(ExitStatus.table)
      """,
    version: "0.1.0",
    subcommands: [
      Run.self, Emulate.self, AttachCommand.self, DetachCommand.self, BridgeCommand.self,
      CoreCommand.self, Ctl.self, MonitorCommand.self, ReplayCommand.self, DevicesCommand.self,
      IdentifyCommand.self, TokenCommand.self, CodeCommand.self, ConformCommand.self,
      BenchCommand.self,
      SimulateCommand.self, StateCommand.self, DoctorCommand.self,
    ])

  static func main() {
    StandardDescriptors.fill()
    // A reader that leaves, as in `fob ctl … | head`, is an error to report.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot(Ctl.dashed(Array(CommandLine.arguments.dropFirst())))
      try command.run()
    } catch let failure as Failure {
      Terminal.error("fob: \(failure.text)")
      _exit(failure.status.rawValue)
    } catch {
      exit(withError: error)
    }
  }
}
