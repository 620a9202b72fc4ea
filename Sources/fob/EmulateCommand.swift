import AlertCore
import ArgumentParser
import Emulator
import FobBase
import SerialIO

/// What `run` and `emulate` say about the keychain itself.
struct KeychainOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What the keychain's GPS receiver hears.",
      discussion: """
        An NMEA file, at its own pace; track:LAT,LON[,SPEED[,COURSE[,TURN]]] in m/s, degrees and \
        degrees a second; track:LAT,LON;LAT,LON[,SPEED] round these points; pipe:PATH, bytes as \
        they come (- is standard input); story:coldStart, tunnel, weak, rollover or silence.
        """, valueName: "source"))
  var gps: String?

  @Option(help: "Degrees where the keychain is, or its story is told. (default: 51.4778,-0.0015)")
  var at: String?

  @Flag(help: "No GPS receiver at all.")
  var noGps = false

  @Flag(help: "Start the NMEA file or the story over at its end.")
  var gpsLoop = false

  @Option(help: "The battery's charge in per cent.")
  var battery: UInt8 = 87

  @Option(help: "Per cent of its charge that the battery loses in an hour.")
  var drainPerHour: Int64 = 0

  @Option(
    parsing: .unconditional,
    help: "Parts per million that the keychain's clock gains, or below 0 loses.")
  var driftPpm: Int32 = 0

  @Option(help: "The serial number: the lower half of the bench device id.")
  var serial: UInt32 = 1

  func validate() throws {
    guard battery <= 100 else { throw ValidationError("--battery takes 0 to 100 per cent") }
    if let at, PlaceOption(argument: "keychain=\(at)") == nil {
      throw ValidationError("--at takes LATITUDE,LONGITUDE in degrees, as in 51.4778,-0.0015")
    }
    guard (0...360_000).contains(drainPerHour) else {
      throw ValidationError("--drain-per-hour takes 0 to 360000 per cent")
    }
    guard (-10_000...10_000).contains(driftPpm) else {
      throw ValidationError("--drift-ppm takes -10000 to 10000 parts per million")
    }
    do throws(CommandRefusal) {
      _ = try readSource()
    } catch {
      throw ValidationError("--gps: \(error)")
    }
  }

  /// As `validate` has found it to be readable.
  var source: GPSSource { (try? readSource()) ?? .none }

  private func readSource() throws(CommandRefusal) -> GPSSource {
    let place = at.flatMap { PlaceOption(argument: "keychain=\($0)")?.place }
    let home = place.flatMap { GPSPlace(latitude: $0.latitude, longitude: $0.longitude) }
    if noGps { return .none }
    if let gps { return try GPSSource(gps, loop: gpsLoop, home: home ?? .observatory) }
    let here = home ?? .observatory
    return .stationary(latitude: here.latitude, longitude: here.longitude)
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
          batteryPercent: keychain.battery, drainPerHour: keychain.drainPerHour,
          driftPPM: keychain.driftPpm))
      try keychain.start()
      defer { keychain.stop() }
      Console.line("keychain \(keychain.configuration.deviceID.text) on pty:\(keychain.linkPath)")
      try Readiness.notify(readyFD: readyFd)
      _ = termination.wait()
      try Readiness.stopping()
    }
  }
}
