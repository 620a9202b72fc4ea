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
    parsing: .upToNextOption,
    help: """
      Keychains' lines, one or many: pty:PATH, unix:PATH, tcp:HOST:PORT or
      serial:PATH?baud=N&flow=none|rtscts&dtr=keep|on|off|pulse&rts=keep|on|off. May be given
      several times.
      """,
    transform: DeviceSpec.option)
  var device: [DeviceSpec] = []

  @Option(help: "The state folder. (default: $XDG_STATE_HOME/fob/bridge)")
  var state: String?

  @Option(help: "The control socket. (default: bridge.sock in the runtime folder)")
  var control: String?

  @Option(help: "The log sink's file. (default: alerts.jsonl in the state folder)")
  var log: String?

  @OptionGroup var alarm: AlarmOptions

  @Option(help: "Writes \"ready\" to this descriptor when the devices are being opened.")
  var readyFd: Int32?

  func validate() throws {
    guard !device.isEmpty else {
      throw ValidationError(
        "no device; write --device pty:PATH, or use fob run for an emulated keychain")
    }
    guard device.count <= Limits.devices else {
      throw ValidationError("--device takes up to \(Limits.devices) devices")
    }
    guard Set(device).count == device.count else {
      throw ValidationError("--device names the same device twice")
    }
  }

  func run() throws {
    let timeline = Timeline(isJSON: alarm.json, began: BootClock.now())
    try Failure.mapped {
      let termination = try Termination()
      DescriptorLimit.raise()
      let folder = state ?? StateFolder.standard("bridge")
      let station = try Station(
        folder: folder, controlPath: try control ?? Self.standardSocket(), logPath: log,
        pin: alarm.pin,
        alarm: alarm, timeline: timeline)
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
