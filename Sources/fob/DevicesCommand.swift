import ArgumentParser
import Bridge
import Capture
import FobBase
import Foundation
import SerialIO
import Transport
import WireProtocol

/// `fob devices`: what is there to connect to.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List running keychains and bridges, keychains on USB, and serial ports.",
    discussion: """
      Running ones are those whose control sockets stand in the runtime folder. A keychain on USB \
      is asked by vendor requests, also while a bridge has its line. No serial port is opened: \
      that would raise DTR, which resets many a board. So what another user's process holds is \
      seen by root only.
      """)

  @OptionGroup var output: JSONOption

  @Option(
    help: """
      Look for serial ports in dev, sys and proc of this folder, and for no USB device. (default: \
      /)
      """)
  var root: String?

  private struct Answer: Encodable {
    let sockets: [FoundSocket]
    let keychains: [FoundKeychain]
    let ports: [SerialPort]
  }

  func run() throws {
    try output.begin()
    let ports = PortScan(root: root ?? "").ports()
    let answer = Answer(
      sockets: SocketScan(folder: RuntimeFolder.path).sockets(),
      keychains: try Failure.mapped { try keychains(ports) }, ports: ports)
    if output.json {
      try Terminal.json(answer)
      return
    }
    let taken = Set(answer.keychains.compactMap(\.port))
    let others = answer.ports.filter { !taken.contains($0.path) }
    for line in Self.lines(answer.sockets) + KeychainText.lines(answer.keychains)
      + Self.lines(others)
    {
      Terminal.line(PrintableText.of(line))
    }
    if answer.sockets.isEmpty, answer.keychains.isEmpty, answer.ports.isEmpty {
      Terminal.line("nothing: no fob runs here and no serial port is plugged in; try fob emulate")
    }
  }

  private func keychains(_ ports: [SerialPort]) throws -> [FoundKeychain] {
    guard root == nil else { return [] }
    let scan = KeychainScan(
      ports: ports, rule: RuleCheck(BenchRoot(root: "")),
      plugged: try HotplugMonitor.devices(.device) + HotplugMonitor.devices(.port),
      ask: { try KeychainReport.ask($0, node: $1) })
    return scan.keychains()
  }

  private static func lines(_ sockets: [FoundSocket]) -> [String] {
    sockets.flatMap { found -> [String] in
      if let keychain = found.keychain {
        return [
          "keychain  \(keychain.spec)", "          \(words(keychain))",
          "          control socket \(found.socket)",
        ]
      }
      if let bridge = found.bridge {
        let links = bridge.links.map { link in
          link.device + (link.batteryPercent.map { " at \($0) %" } ?? "")
        }
        let linked =
          links.isEmpty ? "no keychain linked" : "linked: \(links.joined(separator: ", "))"
        let failure = bridge.storageFailure.map { ", NOT DURABLE: \($0)" } ?? ""
        return ["bridge    \(found.socket)", "          \(bridge.state), \(linked)\(failure)"]
      }
      return ["socket    \(found.socket)", "          \(found.problem ?? "")"]
    }
  }

  private static func words(_ keychain: FoundSocket.Keychain) -> String {
    let firmware = keychain.powered ? "shows \(keychain.shown ?? "nothing")" : "without power"
    return [
      keychain.device, keychain.battery.map { "battery \($0) %" } ?? "no battery",
      keychain.plugged ? nil : "unplugged",
      keychain.linked ? "linked" : "not linked", firmware,
      keychain.unacked.map { "unacked \($0)" }, keychain.gps.map { "GPS \($0)" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func lines(_ ports: [SerialPort]) -> [String] {
    ports.flatMap { port -> [String] in
      var lines = ["port      \(port.spec)"]
      if !port.names.isEmpty { lines.append("          now \(port.path)") }
      if let usb = port.usb {
        let serial = usb.serial.map { ", serial \($0)" } ?? ""
        let name = usb.name.map { "\($0), " } ?? ""
        lines.append("          \(name)USB \(usb.vendor):\(usb.product)\(serial)")
      }
      if let version = port.microbit {
        lines.append(
          "          a micro:bit of version \(version); a keychain only where its line says so,"
            + " which a bridge asks")
      }
      lines.append("          \(port.problem ?? "free, as far as can be seen without opening it")")
      return lines
    }
  }
}

/// Keychains on USB in the lines of `fob devices`.
enum KeychainText {
  static func lines(_ keychains: [FoundKeychain]) -> [String] { keychains.flatMap { lines($0) } }

  private static func lines(_ keychain: FoundKeychain) -> [String] {
    let nodes = [keychain.port, keychain.links.first, keychain.usbNode].compactMap(\.self)
    let words = [
      "usb       \(keychain.spec)", "          now \(nodes.joined(separator: ", "))",
      said(by: keychain),
      "          \(keychain.problem ?? "free, as far as can be seen without opening it")",
    ]
    return words + [keychain.warning.map { "          \($0)" }].compactMap(\.self)
  }

  private static func said(by keychain: FoundKeychain) -> String {
    let words = [
      keychain.serial ?? "without a serial number",
      keychain.battery.map { "battery \($0) %" } ?? (keychain.hasNoBattery ? "no battery" : nil),
      keychain.hasNoGPS ? "no GPS receiver" : nil,
      keychain.isLinked.map { $0 ? "linked" : "not linked" },
      keychain.firmware.map { "firmware \($0)" },
      keychain.silence.map { "says nothing of itself: \($0)" },
    ]
    return "          " + words.compactMap(\.self).joined(separator: ", ")
  }
}

/// The keychains that are plugged in.
///
/// Two sources, each for what it alone knows. Of udev: which devices are keychains, under which
/// names, and whether its rule was applied; libudev reads the running system alone, so nothing is
/// found below another root. Of `PortScan`, from /dev, /sys and /proc: every serial port, who may
/// open it and who has it open.
struct KeychainScan {
  let ports: [SerialPort]
  let rule: RuleCheck
  /// Of both kinds.
  let plugged: [AttachedDevice]
  /// Asks one keychain; its node is that of the USB device.
  let ask: (USBAddress, String) throws -> KeychainReport

  func keychains(_ match: KeychainMatch = KeychainMatch()) -> [FoundKeychain] {
    let devices = plugged.filter { $0.kind == .device && match.takes($0) }
    let ports = plugged.filter { $0.kind == .port && match.takes($0) }
    var keychains = devices.map { device in
      let port = ports.first { $0.interface?.hasPrefix(device.systemPath + "/") ?? false }
      return keychain(port, device)
    }
    // A container may show the one and not the other.
    for port in ports where !keychains.contains(where: { $0.port == port.node }) {
      keychains.append(keychain(port, nil))
    }
    return keychains.sorted { ($0.spec, $0.port ?? "") < ($1.spec, $1.port ?? "") }
  }

  private func keychain(_ port: AttachedDevice?, _ device: AttachedDevice?) -> FoundKeychain {
    let shown = (port ?? device)!
    var found = FoundKeychain(
      serial: shown.address.serial, spec: "\(shown.spec)", usbNode: device?.node,
      port: port?.node, links: shown.links)
    if let port {
      found.problem = ports.first { $0.path == port.node }?.problem
    } else {
      found.problem =
        "the kernel gives it no serial port: sudo modprobe cdc_acm, or a bridge has it by usb:"
    }
    found.warning = rule.warning(for: shown)
    guard let device else { return found }
    do {
      found.take(try ask(device.address, device.node))
    } catch {
      found.silence = "\(error)"
    }
    return found
  }
}

/// A keychain on USB, as udev shows it and as it says itself by vendor requests. Its line is not
/// opened for that, so a bridge that has it open is not disturbed.
struct FoundKeychain: Encodable, Equatable {
  /// The serial number, nil where it has none.
  let serial: String?
  /// What to give to `--device`.
  let spec: String
  /// Of the USB device, like `/dev/bus/usb/001/004`; nil where it is not shown.
  var usbNode: String?
  /// Like `/dev/ttyACM0`; nil while the kernel gives it no serial port.
  var port: String?
  /// The names that stay, kept by udev.
  var links: [String] = []
  /// Board and build, in its own words.
  var firmware: String?
  /// Per cent.
  var battery: UInt8?
  /// It says that it has none: USB powers it.
  var hasNoBattery = false
  /// It says that it has no GPS receiver.
  var hasNoGPS = false
  var isLinked: Bool?
  /// Why it said nothing of itself, and what to do.
  var silence: String?
  /// Why its port cannot be opened now, and what to do; nil where nothing speaks against it.
  var problem: String?
  /// What is wrong beside it, as that no udev rule was applied.
  var warning: String?

  /// What it says of itself.
  mutating func take(_ report: KeychainReport) {
    isLinked = report.isLinked
    battery = (try? report.heartbeat.get())?.charge
    let capabilities = (try? report.hello.get())?.capabilities ?? 0
    hasNoBattery = capabilities & Hello.hasNoBattery != 0 && battery == nil
    hasNoGPS = capabilities & Hello.hasNoGPS != 0
    firmware = (try? report.firmware.get()).map { "\($0.board), \($0.build)" }
    for failure in [Self.failure(report.hello), Self.failure(report.heartbeat)] {
      if silence == nil { silence = failure }
    }
  }

  private static func failure<Value>(_ result: Result<Value, IOFailure>) -> String? {
    guard case .failure(let failure) = result else { return nil }
    return "\(failure)"
  }
}
