import ArgumentParser
import FobBase
import SerialIO

/// `fob bench latency`: presses on a schedule, and how long each stage of their way takes.
struct LatencyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "latency",
    abstract: "How long a press takes, from the first edge to the light, stage by stage.")

  @Option(
    help: "The keychain's line, as in pty:/tmp/fob.pty. (default: an emulated one, made here)",
    transform: DeviceSpec.option)
  var device: DeviceSpec?

  func run() throws {
    throw Failure(.refused, "fob bench latency measures nothing yet")
  }
}
