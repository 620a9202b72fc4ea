import AlertCore
import ArgumentParser
import Emulator
import FobBase
import SerialIO

/// What `run` and `emulate` say about the keychain itself.
struct KeychainOptions: ParsableArguments {
  @Option(help: "An NMEA file, played at its own pace to the keychain's GPS input.")
  var gps: String?

  @Option(help: "Degrees where the keychain is, when no file is given. (default: 51.4778,-0.0015)")
  var at: String?

  @Flag(help: "No GPS receiver at all.")
  var noGps = false

  @Flag(help: "Start the NMEA file over at its end.")
  var gpsLoop = false

  @Option(help: "The battery's charge in per cent.")
  var battery: UInt8 = 87

  @Option(help: "The serial number: the lower half of the bench device id.")
  var serial: UInt32 = 1

  func validate() throws {
    guard battery <= 100 else { throw ValidationError("--battery takes 0 to 100 per cent") }
    if let at, PlaceOption(argument: "keychain=\(at)") == nil {
      throw ValidationError("--at takes LATITUDE,LONGITUDE in degrees, as in 51.4778,-0.0015")
    }
  }

  var source: GPSSource {
    if noGps { return .none }
    if let gps { return .file(path: gps, loop: gpsLoop) }
    let place = PlaceOption(argument: "keychain=\(at ?? "51.4778,-0.0015")")!.place
    return .stationary(latitude: place.latitude, longitude: place.longitude)
  }
}

/// `fob emulate`: a keychain on a pty, with a stable link name and a control socket.
struct Emulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "An emulated keychain on a pty, scripted through a control socket.",
    discussion: """
      The link's name stays the same however often the keychain is unplugged. With --store the
      events that nobody has acked survive the process, kill -9 included.
      """)

  @OptionGroup var keychain: KeychainOptions

  @Option(help: "The pty's stable name. (default: keychain in the runtime folder)")
  var link: String?

  @Option(help: "The control socket. (default: keychain.sock in the runtime folder)")
  var control: String?

  @Option(help: "The file behind the keychain's memory. (default: none, forgotten at the end)")
  var store: String?

  @Option(help: "Writes \"ready\" to this descriptor when it is booted and its name is in place.")
  var readyFd: Int32?

  func run() throws {
    try Failure.mapped {
      let termination = try Termination()
      if link == nil || control == nil { try RuntimeFolder.make() }
      let keychain = try EmulatedKeychain(
        EmulatorConfiguration(
          serial: keychain.serial, linkPath: link ?? RuntimeFolder.keychainLink, storePath: store,
          controlPath: control ?? RuntimeFolder.keychainSocket, gps: keychain.source,
          batteryPercent: keychain.battery))
      try keychain.start()
      defer { keychain.stop() }
      Console.line("keychain \(keychain.configuration.deviceID.text) on pty:\(keychain.linkPath)")
      try Readiness.notify(readyFD: readyFd)
      _ = termination.wait()
      try Readiness.stopping()
    }
  }
}
