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
      fob run        everything in one process: press, alarm, all clear
      fob emulate    a keychain on a pty, scripted through a control socket
      fob attach     an emulated keychain plugged into this machine as a USB device
      fob detach     unplugs it
      fob bridge     the alert core on keychains that are plugged in, or on a given line
      fob core       the alert core alone, fed by bridges on other hosts
      fob ctl        asks a running keychain or bridge for something
      fob monitor    every frame of a link, decoded, live or from a capture
      fob replay     a capture played back, and what is said now beside then
      fob devices    what runs here, keychains on USB, and serial ports
      fob identify   blinks a keychain on USB, and tells what it says of itself
      fob token      who may use the HTTP API
      fob conform    judges a keychain by the wire protocol, case by case
      fob bench      how long a press takes, how many keychains are carried, how soon all is well
      fob simulate   seeded worlds full of faults, and the search for an alarm that is lost
      fob state      a state folder as one document, out and in
      fob doctor     looks at everything that a bench needs, and says how to fix what it lacks

      Exit codes: \(ExitStatus.table)
      """,
    version: "0.1.0",
    subcommands: [
      Run.self, Emulate.self, AttachCommand.self, DetachCommand.self, DoctorCommand.self,
      BridgeCommand.self, CoreCommand.self, Ctl.self, MonitorCommand.self,
      ReplayCommand.self, DevicesCommand.self, SimulateCommand.self, ConformCommand.self,
      StateCommand.self, TokenCommand.self, IdentifyCommand.self, BenchCommand.self,
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
