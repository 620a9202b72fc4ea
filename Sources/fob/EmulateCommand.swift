import AlertCore
import ArgumentParser
import Emulator
import FobBase
import Foundation
import Glibc
import NMEA
import SerialIO
import WireProtocol

/// A serial number as people write it: device ids show it in hexadecimal.
enum SerialNumber {
  static func read(_ text: String) throws -> UInt32 {
    let number =
      text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    guard let number else {
      throw ValidationError("a serial number is decimal, or 0x and hexadecimal, up to 0xffffffff")
    }
    return number
  }
}

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

  @Option(
    help: "Position LAT,LON in degrees; also where a story: starts. (default: 51.4778,-0.0015)")
  var at: String?

  @Flag(help: "Leave the GPS receiver out: the keychain says that it has none.")
  var noGps = false

  @Flag(help: "Start the NMEA file or the story over at its end.")
  var gpsLoop = false

  @Option(help: "Battery charge in per cent. (default: 87)")
  var battery: UInt8?

  @Flag(help: "Leave the battery out: USB powers the keychain, which has no level.")
  var noBattery = false

  @Option(help: "Battery drain in per cent of the charge per hour. (default: 0)")
  var drainPerHour: Int64?

  @Option(
    parsing: .unconditional,
    help: """
      Clock drift in parts per million: above 0 the keychain's clock gains, below 0 it loses. \
      (default: 0)
      """)
  var driftPpm: Int32?

  @Option(
    help: """
      Serial number, as 31 or 0x1f, which is the lower half of the bench device id. (default: 1)
      """,
    transform: SerialNumber.read)
  var serial: UInt32?

  @Option(
    name: .customLong("key"),
    help: """
      File of mode 0600 with the code of the keychain's label: it has this key from the factory. \
      fob keys label makes one. (default: none)
      """,
    completion: .file())
  var keyFile: String?

  /// ``serial``, or its default.
  var firstSerial: UInt32 { serial ?? 1 }

  /// Something is said.
  var isGiven: Bool {
    gps != nil || at != nil || noGps || gpsLoop || battery != nil || noBattery
      || drainPerHour != nil || driftPpm != nil || serial != nil || keyFile != nil
  }

  func validate() throws {
    guard !noGps || (gps == nil && at == nil && !gpsLoop) else {
      throw ValidationError(
        "--no-gps leaves the receiver out: --gps, --at and --gps-loop say nothing then")
    }
    guard at == nil || gps == nil || gps?.hasPrefix("story:") == true else {
      throw ValidationError(
        "--at says where the keychain stands, or a story: starts: --gps \(gps ?? "") says its own"
          + " places")
    }
    guard !gpsLoop || gps != nil else {
      throw ValidationError("--gps-loop says nothing without --gps")
    }
    guard !noBattery || (battery == nil && drainPerHour == nil) else {
      throw ValidationError(
        "--no-battery leaves the battery out: --battery and --drain-per-hour say nothing then")
    }
    guard battery ?? 0 <= 100 else { throw ValidationError("--battery takes 0 to 100 per cent") }
    if let at, PlaceOption(argument: "keychain=\(at)") == nil {
      throw ValidationError("--at takes LATITUDE,LONGITUDE in degrees, as in 51.4778,-0.0015")
    }
    guard (0...360_000).contains(drainPerHour ?? 0) else {
      throw ValidationError("--drain-per-hour takes 0 to 360000 per cent")
    }
    guard (-10_000...10_000).contains(driftPpm ?? 0) else {
      throw ValidationError("--drift-ppm takes -10000 to 10000 parts per million")
    }
    do throws(CommandRefusal) {
      _ = try readSource()
    } catch {
      throw ValidationError("--gps: \(error)")
    }
  }

  private func label() throws(Failure) -> LabelCode? {
    guard let keyFile else { return nil }
    let label = try LabelFile.read(keyFile)
    guard label.device == .bench(firstSerial) else {
      throw Failure(
        .refused,
        "--key: \(keyFile) is of the keychain \(label.device.text), and this one is"
          + " \(DeviceID.bench(firstSerial).text); --serial says which one it is")
    }
    return label
  }

  /// The keychain that they describe.
  /// - Parameter number: of a fleet, from 0: serial numbers count up.
  /// - Throws: `Failure` where the file of its label is not what it should be.
  func configuration(
    _ number: Int = 0, on line: DeviceSpec, storePath: String?, controlPath: String? = nil,
    randomPresses: RandomPresses? = nil, board: EmulatorConfiguration.Board = .simulated
  ) throws(Failure) -> EmulatorConfiguration {
    var configuration = EmulatorConfiguration(
      serial: firstSerial + UInt32(number), line: line, storePath: storePath,
      controlPath: controlPath,
      gps: source, batteryPercent: battery ?? 87, drainPerHour: drainPerHour ?? 0,
      driftPPM: driftPpm ?? 0,
      randomPresses: randomPresses, board: board)
    configuration.hasBattery = !noBattery
    configuration.hasGPS = board != .simulated || !noGps
    configuration.label = try label()
    return configuration
  }

  /// As `validate` has found it to be readable.
  private var source: GPSSource { (try? readSource()) ?? .none }

  private func readSource() throws(CommandRefusal) -> GPSSource {
    let place = at.flatMap { PlaceOption(argument: "keychain=\($0)")?.place }
    let home = place.flatMap { Coordinates(latitude: $0.latitude, longitude: $0.longitude) }
    if noGps { return .none }
    if let gps { return try GPSSource(gps, loop: gpsLoop, home: home ?? .observatory) }
    let here = home ?? .observatory
    return .stationary(latitude: here.latitude, longitude: here.longitude)
  }
}

/// `fob emulate`: keychains on lines of any kind, with one control socket.
struct Emulate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Emulate keychains on a line of any kind, scripted through a control socket.",
    discussion: """
      The line's name stays the same however often the keychain is unplugged: pty:PATH, unix:PATH, \
      tcp:HOST:PORT (it listens, for one host at a time) or serial:PATH?baud=N (a port that a null \
      modem joins to the host's). With --store the events that nobody has acked survive the \
      process, kill -9 included.

      With --count N there are N keychains in this process, their serial numbers counting up from \
      --serial; {n} in --on and --store stands for each one's number, 1 to N. TCP ports count up \
      by themselves. Requests at the control socket then say "serial":S or "all":true.

      With --usb they are USB devices: fob attach, or the stock usbip, gives them to a Linux \
      kernel, whose own driver makes a serial port of each (module vhci-hcd; the port needs root \
      only to be attached). unplug and replug at the control socket pull and plug the USB plug.

      With --board lm3s6965evb the same firmware runs on a Cortex-M3 in QEMU, and with --board \
      microbit on the Cortex-M0 of a BBC micro:bit, behind the same line and the same control \
      socket; what QEMU's board has no part for (a drifting clock, a store that fails) is refused. \
      Each keychain is a QEMU of its own, of 36 MB, which ends with this process.
      """)

  @OptionGroup var keychain: KeychainOptions

  @OptionGroup var board: BoardOptions

  @Option(
    help: "Line, e.g. unix:/tmp/fob.sock. (default: pty:keychain in the runtime folder)",
    completion: .deviceSpec)
  var on: String?

  @Option(help: "Short for --on pty:LINK.", completion: .file())
  var link: String?

  @OptionGroup var usb: USBOptions

  @Option(help: "Number of keychains, 1 to 1024.")
  var count: Int = 1

  @Option(help: "Mean seconds between presses that the keychain makes by itself. (default: none)")
  var pressEvery: Double?

  @Option(help: "Random seed for --press-every. (default: 1)")
  var seed: UInt64?

  @Option(help: "Control socket. (default: keychain.sock in the runtime folder)")
  var control: String?

  @Option(help: "File that keeps the keychain's memory. (default: none, forgotten at the end)")
  var store: String?

  @Option(
    help:
      "Write \"ready\" to this file descriptor when the keychain has booted and its line is there.")
  var readyFd: Int32?

  func validate() throws {
    guard on == nil || link == nil else {
      throw ValidationError("--link is short for --on pty:LINK: give one of them")
    }
    guard usb.address == nil || (on == nil && link == nil) else {
      throw ValidationError("--usb is a line of its own: leave --on and --link out")
    }
    if let pressEvery, !(0.001...86_400).contains(pressEvery) {
      throw ValidationError("--press-every takes 0.001 to 86400 seconds")
    }
    guard count == 1 || keychain.keyFile == nil else {
      throw ValidationError("--key is of one keychain: leave --count out")
    }
    guard seed == nil || pressEvery != nil else {
      throw ValidationError("--seed says nothing without --press-every")
    }
    guard board.board == .simulated || keychain.driftPpm ?? 0 == 0 else {
      throw ValidationError("--drift-ppm: the clock of a board in QEMU does not drift")
    }
    guard board.board == .simulated || !keychain.noBattery else {
      throw ValidationError("--no-battery: a board in QEMU has a battery")
    }
    _ = try plan.lines()
    _ = try plan.stores()
  }

  func run() throws {
    try Failure.mapped {
      let termination = try Termination()
      try Terminal.printBehind()
      if (on == nil && link == nil && usb.address == nil) || control == nil {
        try RuntimeFolder.make()
      }
      DescriptorLimit.raise()
      let server = try usb.server()
      let fleet = try KeychainFleet(
        try configurations(at: server), controlPath: control ?? RuntimeFolder.keychainSocket)
      let deaths = tellDeaths(of: fleet)
      defer { withExtendedLifetime(deaths) {} }
      try fleet.start()
      defer { fleet.stop() }
      try server?.start()
      defer { server?.stop() }
      for keychain in fleet.keychains { Terminal.line(Self.line(about: keychain)) }
      Terminal.flush()
      try SystemdNotifier.notify(readyFD: readyFd)
      _ = termination.wait()
      try SystemdNotifier.stopping()
    }
  }

  private static func line(about keychain: EmulatedKeychain) -> String {
    let device = keychain.configuration.deviceID.text
    let line = "keychain \(device) on \(keychain.line)"
    guard let port = keychain.configuration.usb else { return line }
    return "\(line), bus id \(port.busID) at \(port.server.address): "
      + port.attaching(serial: device)
  }

  /// A board that dies stays dead until somebody resets it: that is said aloud.
  private func tellDeaths(of fleet: KeychainFleet) -> [EventSubscription] {
    fleet.keychains.compactMap { keychain in
      let device = keychain.configuration.deviceID.text
      return keychain.subscribe { event in
        guard event.name == .died else { return }
        Terminal.error(
          "keychain \(device): \(event.reason ?? "it has died"); fob ctl reset starts it again")
      }
    }
  }

  private var plan: FleetPlan {
    FleetPlan(
      count: count, serial: keychain.firstSerial, on: on ?? link.map { "pty:\($0)" }, store: store)
  }

  /// - Parameter server: of the bus into which they are plugged; nil: each has its line.
  private func configurations(at server: USBIPServer?) throws -> [EmulatorConfiguration] {
    let plan = plan
    let lines = try plan.lines()
    let stores = try plan.stores()
    let board = try board.chosen()
    return try (0..<count).map { index in
      var configuration = try keychain.configuration(
        index, on: lines[index], storePath: stores[index],
        randomPresses: pressEvery.map {
          RandomPresses(every: .microseconds(Int64($0 * 1e6)), seed: (seed ?? 1) &+ UInt64(index))
        }, board: board)
      configuration.usb = server.map {
        USBPort($0, number: index + 1, speed: usb.speed, kind: usb.kind)
      }
      return configuration
    }
  }
}

/// `--board`: what the firmware of an emulated keychain runs on.
enum BoardKind: String, ExpressibleByArgument, CaseIterable {
  case simulated, lm3s6965evb, microbit

  /// `qemu` is the word for the first board that ran there.
  init?(argument: String) { self.init(rawValue: argument == "qemu" ? "lm3s6965evb" : argument) }

  /// Nil for the simulated one.
  var inQEMU: QEMUBoardKind? { QEMUBoardKind(rawValue: rawValue) }
}

/// The board of `emulate`.
struct BoardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Board: simulated in this process, or in qemu-system-arm lm3s6965evb, a Cortex-M3, or \
      microbit, a Cortex-M0. qemu is another word for lm3s6965evb.
      """,
      valueName: "kind"))
  var board = BoardKind.simulated

  @Option(
    help: ArgumentHelp(
      "ELF file for a board in QEMU. (default: the one that make firmware BOARD=KIND builds)",
      valueName: "elf"))
  var firmware: String?

  func validate() throws {
    guard firmware == nil || board.inQEMU != nil else {
      throw ValidationError(
        "--firmware is what QEMU runs: it needs --board lm3s6965evb or microbit")
    }
  }

  /// - Throws: `Failure` where the firmware of a board in QEMU is not there.
  func chosen() throws(Failure) -> EmulatorConfiguration.Board {
    guard let kind = board.inQEMU else { return .simulated }
    return .qemu(kind, firmware: try elf(kind))
  }

  private func elf(_ kind: QEMUBoardKind) throws(Failure) -> String {
    let candidates = firmware.map { [$0] } ?? BuiltFirmware.paths("fob-\(kind.rawValue).elf")
    if let found = candidates.first(where: { access($0, R_OK) == 0 }) { return found }
    throw Failure(
      .cannotOpen,
      "cannot read the firmware \(candidates[0]): build it with make firmware"
        + " BOARD=\(kind.rawValue), or name another with --firmware")
  }
}
