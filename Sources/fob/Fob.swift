import ArgumentParser
import Bridge
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
      With --json standard output is JSON alone, one object a line: one line where a command \
      answers once, a line for each thing that happens where it goes on. What is said beside it \
      goes to standard error. fob ctl always answers so.

      Long work says how far it is on standard error, where that is a terminal.

      A file that a command writes is a new one, or a regular file is replaced; - is standard \
      output. What could not be written ends a command with 74.

      Exit codes: \(ExitStatus.table)
      """,
    version: AlertBridge.version,
    subcommands: [
      Run.self, Emulate.self, AttachCommand.self, DetachCommand.self, BridgeCommand.self,
      CoreCommand.self, Ctl.self, MonitorCommand.self, ReplayCommand.self, DevicesCommand.self,
      IdentifyCommand.self, FlashCommand.self, TokenCommand.self, KeysCommand.self,
      CodeCommand.self, CalmCommand.self, ConformCommand.self, BenchCommand.self,
      SimulateCommand.self, StateCommand.self, DoctorCommand.self, MQTTSessionCommand.self,
    ])

  static func main() {
    StandardDescriptors.fill()
    // A reader that leaves, as in `fob ctl … | head`, is an error to report.
    signal(SIGPIPE, SIG_IGN)
    let status = play(Ctl.dashed(Array(CommandLine.arguments.dropFirst())))
    Terminal.flush()
    guard status == 0, let failure = Terminal.failure else { _exit(status) }
    Terminal.error("fob: \(failure)")
    Terminal.flush()
    _exit(ExitStatus.ioError.rawValue)
  }

  /// - Returns: how the process ends.
  private static func play(_ arguments: [String]) -> Int32 {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
      return ExitStatus.success.rawValue
    } catch let failure as Failure {
      Terminal.error("fob: \(failure.printable)")
      return failure.status.rawValue
    } catch {
      let code = exitCode(for: error)
      let words = fullMessage(for: error)
      if !words.isEmpty { code.isSuccess ? Terminal.line(words) : Terminal.error(words) }
      return code.rawValue
    }
  }
}
