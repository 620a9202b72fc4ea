import ArgumentParser
import Capture
import Transport

/// `fob devices`: what is there to connect to.
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "Lists running keychains and bridges, keychains on USB, and serial ports.",
    discussion: """
      Running ones are those whose control sockets stand in the runtime folder. A keychain on USB
      is asked by vendor requests, also while a bridge has its line. No serial port is opened: that
      would raise DTR, which resets many a board. So what another user's process holds is seen by
      root only.
      """)

  @Flag(help: "One object of JSON.")
  var json = false

  @Option(
    help: """
      Looks for serial ports in dev, sys and proc of this folder, and for no USB device. \
      (default: /)
      """)
  var root: String?

  private struct Answer: Encodable {
    let sockets: [FoundSocket]
    let keychains: [FoundKeychain]
    let ports: [SerialPort]
  }

  func run() throws {
    let ports = PortScan(root: root ?? "").ports()
    let answer = Answer(
      sockets: SocketScan(folder: RuntimeFolder.path).sockets(),
      keychains: try Failure.mapped { try keychains(ports) }, ports: ports)
    if json {
      try Terminal.json(answer)
      return
    }
    let taken = Set(answer.keychains.compactMap(\.port))
    let others = answer.ports.filter { !taken.contains($0.path) }
    for line in Self.lines(answer.sockets) + KeychainText.lines(answer.keychains)
      + Self.lines(others)
    {
      Terminal.line(line)
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
      return ["socket    \(found.socket)", "          \(PrintableText.of(found.problem ?? ""))"]
    }
  }

  private static func words(_ keychain: FoundSocket.Keychain) -> String {
    let firmware = keychain.powered ? "shows \(keychain.shown ?? "nothing")" : "without power"
    return [
      keychain.device, "battery \(keychain.battery) %", keychain.plugged ? nil : "unplugged",
      keychain.linked ? "linked" : "not linked", firmware,
      keychain.unacked.map { "unacked \($0)" }, keychain.gps.map { "GPS \($0)" },
    ].compactMap(\.self).joined(separator: ", ")
  }

  private static func lines(_ ports: [SerialPort]) -> [String] {
    ports.flatMap { port -> [String] in
      var lines = ["port      \(port.spec)"]
      if port.spec != "serial:\(port.path)" { lines.append("          now \(port.path)") }
      if let usb = port.usb {
        let serial = usb.serial.map { ", serial \($0)" } ?? ""
        let name = usb.name.map { "\($0), " } ?? ""
        lines.append(
          "          \(PrintableText.of("\(name)USB \(usb.vendor):\(usb.product)\(serial)"))")
      }
      lines.append("          \(port.problem ?? "free, as far as can be seen without opening it")")
      return lines
    }
  }
}
