import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import Transport

@testable import fob

/// `fob devices`: ports of a made-up tree, and what really runs.
@Suite struct DevicesTests {
  @Test func `ports are found with their USB names and the name that stays`() throws {
    let tree = try Tree()
    try tree.port("ttyACM0", usb: "1-1", link: "usb-Example_Keychain_0042-if00")
    try tree.port("ttyUSB3", usb: "1-2")
    try tree.port("ttyS0", type: "4")
    try tree.port("ttyS1", type: "0")
    try tree.file("dev/ttyS2", "")
    try tree.file("dev/tty1", "")
    let ports = PortScan(root: tree.path, user: .root).ports()
    #expect(ports.map(\.path) == ["/dev/ttyACM0", "/dev/ttyS0", "/dev/ttyUSB3"])
    let keychain = ports[0]
    #expect(keychain.spec == "serial:/dev/serial/by-id/usb-Example_Keychain_0042-if00")
    #expect(
      keychain.usb
        == SerialPort.USB(vendor: "1209", product: "0001", serial: "0042", name: "Example Keychain")
    )
    #expect(keychain.problem == nil)
    #expect(ports[1].usb == nil && ports[1].spec == "serial:/dev/ttyS0")
  }

  @Test func `the port of a micro:bit is told from that of another board with its ids`() throws {
    let tree = try Tree()
    let second = "9904360258824e45"
    try tree.port("ttyACM0", usb: "1-1", link: "usb-mbed-if01", daplink: second)
    try tree.port("ttyACM1", usb: "1-2", daplink: "0240000029164e45")
    let ports = PortScan(root: tree.path, user: .root).ports()
    #expect(ports.map(\.microbit) == [2, nil])
    #expect(ports[0].spec == "serial:/dev/serial/by-id/usb-mbed-if01?baud=115200")
    #expect(ports[1].spec == "serial:/dev/ttyACM1")
    #expect(throws: Never.self) { try DeviceSpec(ports[0].spec) }
    let fob = try RunningFob(
      ["devices", "--root", tree.path], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    #expect(fob.output.contains("a micro:bit of version 2; a keychain only where its line says so"))
    #expect(fob.output.components(separatedBy: "micro:bit").count == 2)
  }

  @Test func `no name of a USB device acts on the terminal`() throws {
    let tree = try Tree()
    try tree.port("ttyACM0", usb: "1-1")
    try tree.file("sys/devices/pci0/usb1/1-1/product", "Key\u{1B}[2J\u{9B}chain\u{202E}\n")
    let fob = try RunningFob(
      ["devices", "--root", tree.path], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    #expect(fob.output.contains(#"Example Key\u{1b}[2J\u{9b}chain\u{202e}, USB 1209:0001"#))
  }

  @Test func `a port that another process holds is busy, and by whom`() throws {
    let tree = try Tree()
    try tree.port("ttyACM0", usb: "1-1")
    try tree.port("ttyACM10", usb: "1-1")
    try tree.port("ttyACM2", usb: "1-1")
    try tree.file("proc/4711/comm", "minicom\n")
    try tree.link("proc/4711/fd/3", to: "/dev/ttyACM2")
    try tree.link("proc/4711/fd/4", to: "/dev/ttyACM2")
    try tree.link("proc/12/fd/0", to: "/dev/null")
    let ports = PortScan(root: tree.path, user: .root).ports()
    #expect(ports.map(\.path) == ["/dev/ttyACM0", "/dev/ttyACM2", "/dev/ttyACM10"])
    #expect(ports.map(\.problem) == [nil, "busy: process 4711 (minicom) has it open", nil])
  }

  @Test func `ModemManager at a port is named, with what keeps it away`() throws {
    let tree = try Tree()
    try tree.port("ttyACM0", usb: "1-1")
    try tree.file("proc/99/comm", "ModemManager\n")
    try tree.link("proc/99/fd/8", to: "/dev/ttyACM0")
    let problem = try #require(PortScan(root: tree.path, user: .root).ports().first?.problem)
    #expect(problem.hasPrefix("busy: process 99 (ModemManager) has it open"))
    #expect(problem.contains("make install-udev"))
  }

  /// R29.
  @Test(
    arguments: [
      (PortUser.root, 0, 20, 0o600, nil),
      (.owner(groups: []), 0, 20, 0o660, "sudo usermod -aG dialout owner, then log in again"),
      (.owner(groups: [20]), 0, 20, 0o660, nil),
      (.owner(groups: [], members: ["owner"]), 0, 20, 0o660, "since the last login"),
      (.owner(groups: []), 0, 0, 0o660, "udev rule"),
      (.owner(groups: []), 0, 20, 0o600, "udev rule"),
      (.owner(groups: []), 0, 20, 0o666, nil), (.owner(groups: [20]), 0, 20, 0o606, "udev rule"),
      (.owner(groups: []), 1000, 20, 0o600, nil),
      (.owner(groups: []), 1000, 20, 0o066, "chmod u+rw"),
    ] as [(PortUser, UInt32, UInt32, UInt32, String?)])
  func `who may not open a port is told why and how to be allowed`(
    user: PortUser, owner: UInt32, group: UInt32, mode: UInt32, words: String?
  ) {
    let refusal = user.refusal(owner: owner, group: group, mode: mode)
    if let words {
      #expect(refusal?.contains(words) == true, "\(refusal ?? "nil")")
    } else {
      #expect(refusal == nil)
    }
  }

  @Test func `running keychains and bridges are listed, and a socket left behind is said`() throws {
    let scratch = try ScratchDirectory()
    let runtime = scratch.path("runtime/fob")
    let keychain = try RunningFob(["emulate"], in: scratch)
    let bridge = try RunningFob(
      ["bridge", "--device", "pty:\(runtime)/keychain"], in: scratch)
    let talk = try Talk(runtime + "/keychain.sock")
    try talk.must(["do": "wait", "for": "linked"])
    let dead = try RunningFob(
      ["emulate", "--link", scratch.path("dead"), "--control", runtime + "/dead.sock"], in: scratch)
    dead.kill9()

    let all = try RunningFob(
      ["devices", "--json", "--root", scratch.path], in: scratch, awaitsReady: false)
    #expect(all.awaitEnd() == 0)
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [String: Any])
    let sockets = try #require(answer["sockets"] as? [[String: Any]])
    #expect(sockets.map { $0["kind"] as? String } == ["bridge", "unknown", "keychain"])
    #expect((sockets[1]["problem"] as? String)?.contains("nobody listens") == true)
    let found = try #require(sockets[2]["keychain"] as? [String: Any])
    #expect(found["device"] as? String == "8000000000000001")
    #expect(found["spec"] as? String == "pty:\(runtime)/keychain")
    #expect(found["battery"] as? Int == 87 && found["linked"] as? Bool == true)
    #expect((answer["ports"] as? [Any])?.isEmpty == true)

    let text = try RunningFob(["devices", "--root", scratch.path], in: scratch, awaitsReady: false)
    #expect(text.awaitEnd() == 0)
    #expect(text.output.contains("keychain  pty:\(runtime)/keychain"))
    #expect(text.output.contains("battery 87 %, linked"))
    bridge.interrupt()
    keychain.interrupt()
  }

  /// R2.
  @Test func `nothing at all is said, with what to do`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(["devices", "--root", scratch.path], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    #expect(fob.output.contains("fob emulate"))
  }
}

extension PortUser {
  fileprivate static var root: PortUser { user("root", 0, [0], []) }

  fileprivate static func owner(groups: Set<UInt32>, members: [String] = []) -> PortUser {
    user("owner", 1_000, groups, members)
  }

  private static func user(
    _ name: String, _ id: UInt32, _ groups: Set<UInt32>, _ members: [String]
  ) -> PortUser {
    PortUser(
      name: name, id: id, groups: groups, groupName: { $0 == 20 ? "dialout" : nil },
      members: { _ in members })
  }
}

/// A made-up `/dev`, `/sys` and `/proc`.
private final class Tree {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  var path: String { scratch.path }

  func file(_ name: String, _ text: String) throws {
    let path = scratch.path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  func link(_ name: String, to target: String) throws {
    let path = scratch.path(name)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  func port(
    _ name: String, usb: String? = nil, type: String? = nil, link: String? = nil,
    daplink serial: String? = nil
  ) throws {
    try file("dev/\(name)", "")
    if let type { try file("sys/class/tty/\(name)/type", type + "\n") }
    if let link { try self.link("dev/serial/by-id/\(link)", to: "../../\(name)") }
    let device = "sys/devices/pci0/\(usb.map { "usb1/\($0)/\($0):1.0" } ?? "serial-\(name)")"
    try file("\(device)/uevent", "")
    try self.link("sys/class/tty/\(name)/device", to: scratch.path(device))
    guard let usb else { return }
    for (file, text) in [
      ("idVendor", serial == nil ? "1209" : "0d28"),
      ("idProduct", serial == nil ? "0001" : "0204"), ("serial", serial ?? "0042"),
      ("manufacturer", "Example"), ("product", "Keychain"),
    ] {
      try self.file("sys/devices/pci0/usb1/\(usb)/\(file)", text + "\n")
    }
  }
}
