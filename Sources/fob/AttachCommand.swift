import ArgumentParser
import Capture
import FobBase
import Foundation
import Glibc
import SerialIO
import USB

/// `fob attach`: emulated keychains become USB devices of this machine.
struct AttachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach",
    abstract: "Plug USB/IP devices, such as those of fob emulate --usb, into this machine.",
    discussion: """
      Needs root and the kernel module vhci-hcd: sudo modprobe vhci-hcd. The server may be on \
      another machine; what it gives stays plugged in until fob detach, or until it ends.
      """)

  @Argument(
    help: "Address of the server, tcp:HOST:PORT or unix:PATH. (default: tcp:127.0.0.1:3240)",
    completion: .deviceSpec, transform: DeviceSpec.option)
  var address = DeviceSpec(.tcp(host: "127.0.0.1", port: 3_240))

  @Option(help: "Device to attach, by serial number or by bus id at the server, e.g. 1-1.")
  var device: String?

  @Flag(help: "Attach every device of the server.")
  var all = false

  @Flag(help: "Wait until /dev/fob/SERIAL is there; fail after 5 s.")
  var wait = false

  @Option(help: "Look for sys and dev in this folder. (default: /)")
  var root: String?

  func validate() throws {
    guard device == nil || !all else { throw ValidationError("--all takes no --device") }
  }

  func run() throws {
    let client = try USBIPClient(address)
    let controller = try VHCIController(root: root ?? "")
    try controller.requireRight()
    let choice = AttachChoice(server: "\(address)", wanted: device, all: all)
    let candidates = try choice.candidates(of: try client.devices())
    var attached: [String] = []
    for record in candidates {
      guard let imported = try Self.take(record, from: client, choice) else { continue }
      guard choice.means(record, serial: imported.serial) else { continue }
      attached.append(try Self.attach(imported, to: controller))
      if !all { break }
    }
    guard !attached.isEmpty else { throw choice.nothing(among: candidates) }
    guard wait else { return }
    for serial in attached {
      let node = try NodeWait(root: root ?? "").node(of: serial)
      Terminal.line("\(serial) is \(node), /dev/fob/\(serial)")
    }
  }

  /// Nil for a device that was to be asked only, and that somebody else has by now.
  private static func take(
    _ record: USBIPDeviceRecord, from client: USBIPClient, _ choice: AttachChoice
  ) throws(Failure) -> USBIPClient.Imported? {
    do {
      return try client.imported(record.busID)
    } catch {
      guard error.status == .refused, choice.mayPassOver(record) else { throw error }
      return nil
    }
  }

  /// The name of what was attached.
  private static func attach(
    _ imported: borrowing USBIPClient.Imported, to controller: VHCIController
  ) throws(Failure) -> String {
    let record = imported.record
    let name = PrintableText.of(imported.serial ?? record.busID)
    guard let port = VHCIPort.free(for: record.speed, in: try controller.ports()) else {
      throw Failure(
        .cannotOpen, "no port is free for \(name): fob detach SERIAL frees one")
    }
    try controller.attach(
      imported.socket, device: record.deviceID, speed: record.speed, to: port)
    Terminal.line("attached \(name) as port \(port.number)")
    return name
  }
}

/// Waits until udev has given an attached keychain its name.
struct NodeWait {
  /// What comes before `/dev`: nothing, or a folder in a test.
  var root = ""
  var patience = Interval.seconds(5)

  /// What `/dev/fob/SERIAL` leads to, as in `/dev/ttyACM0`.
  /// - Throws: `Failure` that says what is missing.
  func node(of serial: String) throws(Failure) -> String {
    let name = "\(root)/dev/fob/\(serial)"
    let deadline = BootClock.now() + patience
    while BootClock.now() < deadline {
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: name) {
        return "/dev/" + (target as NSString).lastPathComponent
      }
      usleep(20_000)
    }
    throw Failure(
      .timedOut,
      "/dev/fob/\(serial) did not come: is the rule installed (make install-udev), is udevd"
        + " running, is the kernel module cdc_acm there? fob doctor looks at all of them")
  }
}

/// Which of a server's devices are meant.
struct AttachChoice {
  let server: String
  /// A serial number or a bus id.
  let wanted: String?
  let all: Bool

  /// Those to import. A serial number is known only then: all may have to be asked.
  /// - Throws: `Failure` where nothing is there, or it is not said which.
  func candidates(of devices: [USBIPDeviceRecord]) throws(Failure) -> [USBIPDeviceRecord] {
    guard !devices.isEmpty else {
      throw Failure(
        .cannotOpen, "\(server) has no device to give: all are attached or unplugged")
    }
    if all { return devices }
    if let wanted {
      let named = devices.filter { $0.busID == wanted }
      return named.isEmpty ? devices : named
    }
    guard devices.count == 1 else {
      throw Failure(
        .usage, "\(server) has \(Self.list(devices)): say --device BUSID or SERIAL, or --all")
    }
    return devices
  }

  func means(_ record: USBIPDeviceRecord, serial: String?) -> Bool {
    wanted == nil || record.busID == wanted || serial == wanted
  }

  /// Asked for its serial number only: that somebody else has it by now is no matter.
  func mayPassOver(_ record: USBIPDeviceRecord) -> Bool {
    wanted.map { $0 != record.busID } ?? false
  }

  func nothing(among devices: [USBIPDeviceRecord]) -> Failure {
    Failure(
      .cannotOpen,
      "\(server) has no device \(wanted ?? ""): it has \(Self.list(devices)), none of that serial"
        + " number")
  }

  private static func list(_ devices: [USBIPDeviceRecord]) -> String {
    PrintableText.of(devices.prefix(16).map(\.busID).joined(separator: ", "))
      + (devices.count > 16 ? ", …" : "")
  }
}
