import AlertCore
import ArgumentParser
import Bridge
import FobBase
import SerialIO
import Sinks
import Storage
import Transport

/// `fob bridge`: bridge and core in one process, on keychains that are already there.
struct BridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "The alert core on a keychain that is already there.",
    discussion: """
      Opens each device, waits for it where it is not there yet, and carries every press to its
      end. Bench account: Owner, Contact 1, Contact 2; the PIN is printed when it is first set.
      Messages go to the log sink, one line of JSON each, and for bench keychains only.
      """)

  @Option(
    help: "A keychain's line, as in pty:/tmp/fob.pty; may be given several times.",
    transform: DeviceSpec.option)
  var device: [DeviceSpec] = []

  @Option(help: "The state folder. (default: $XDG_STATE_HOME/fob/bridge)")
  var state: String?

  @Option(help: "The control socket. (default: bridge.sock in the runtime folder)")
  var control: String?

  @Option(help: "The log sink's file. (default: alerts.jsonl in the state folder)")
  var log: String?

  @Option(help: "Sets the PIN, four digits.")
  var pin: PIN?

  @Option(help: "A named place for the alarm's text, as in \"the market=51.4778,-0.0015\".")
  var place: [PlaceOption] = []

  @Option(help: "Seconds between a press and the first message (0 to 3600).")
  var countdown: Int = 0

  @Flag(help: "One line of JSON for each thing that happens.")
  var json = false

  @Option(help: "Writes \"ready\" to this descriptor when the devices are being opened.")
  var readyFd: Int32?

  func validate() throws {
    guard !device.isEmpty else {
      throw ValidationError(
        "no device; write --device pty:PATH, or use fob run for an emulated keychain")
    }
    guard (0...3_600).contains(countdown) else {
      throw ValidationError("--countdown takes 0 to 3600 seconds")
    }
  }

  func run() throws {
    let timeline = Timeline(isJSON: json, began: BootClock.now())
    try Failure.mapped {
      let termination = try Termination()
      let folder = state ?? StateFolder.standard("bridge")
      var policy = Policy()
      policy.buttonCountdown = .seconds(Int64(countdown))
      let station = try Station(
        folder: folder, controlPath: try control ?? Self.standardSocket(), logPath: log, pin: pin,
        places: place.map(\.place), policy: policy, timeline: timeline)
      try station.start(device)
      defer { station.stop() }
      try Readiness.notify(readyFD: readyFd)
      _ = termination.wait()
      try Readiness.stopping()
    }
  }

  private static func standardSocket() throws(Failure) -> String {
    try RuntimeFolder.make()
    return RuntimeFolder.bridgeSocket
  }
}
