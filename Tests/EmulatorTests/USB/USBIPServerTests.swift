import Emulator
import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing
import Transport
import USB

@Suite struct USBIPServerTests {
  private static let usbip = "/usr/sbin/usbip"

  @Test func `each keychain is on the list until a host has it`() throws {
    let rig = try USBRig(count: 3)
    #expect(try rig.client().deviceList().map(\.busID) == ["1-1", "1-2", "1-3"])
    let host = try rig.host("1-2")
    #expect(try rig.client().deviceList().map(\.busID) == ["1-1", "1-3"])
    #expect(try !rig.client().importDevice("1-2"), "one host at a time")
    let serial = try #require(try host.control(0x80, 6, 0x0303, 0x0409, length: 255))
    #expect(
      String(decoding: serial.dropFirst(2).filter { $0 != 0 }, as: UTF8.self)
        == "8000000000000002")
  }

  @Test func `a bus id that is not there is refused`() throws {
    let rig = try USBRig()
    for busID in ["1-2", "", "1-10", "2-1", String(repeating: "1", count: 31)] {
      #expect(try !rig.client().importDevice(busID))
    }
    #expect(try rig.client().importDevice("1-1"))
  }

  @Test func `clients that say nothing or nonsense keep nobody out`() throws {
    let rig = try USBRig()
    var silent: [USBClient] = []
    for _ in 0..<20 {
      silent.append(try rig.client())
      try rig.client().send(Array("GET / HTTP/1.1\r\n\r\n".utf8))
    }
    let half = try rig.client()
    try half.send(Array(USBIPRequest.importDevice(busID: "1-1").bytes.prefix(20)))
    #expect(try rig.client().deviceList().map(\.busID) == ["1-1"])
    withExtendedLifetime((silent, half)) {}
  }

  @Test func `URBs that come right behind the request are the keychain's`() throws {
    let rig = try USBRig()
    let client = try rig.client()
    let setup = SetupPacket(requestType: 0x80, request: 6, value: 0x100, length: 18)
    let header: [UInt8] = [
      0, 0, 0, 1, 0, 0, 0, 77, 0, 1, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    client.expect(77)
    try client.send(USBIPRequest.importDevice(busID: "1-1").bytes + header + setup.bytes)
    try #require(try client.readImport())
    let answer = try client.next(until: BootClock.now() + .seconds(10))
    #expect(answer?.data.count == 18)
  }

  @Test func `two keychains cannot have one port`() throws {
    let scratch = try ScratchDirectory()
    let server = try USBIPServer(DeviceSpec(.unix(path: scratch.path("usbip"))))
    let fleet = try KeychainFleet(
      (1...2).map { EmulatorConfiguration(serial: $0, usb: USBPort(server)) })
    let failure = #expect(throws: IOFailure.self) { try fleet.start() }
    #expect(failure?.description.contains("another keychain is there") == true)
  }

  @Test func `a server is a TCP port or a path`() {
    for text in ["pty:/tmp/x", "usb:1209:0001", "memory:x", "serial:/dev/x"] {
      #expect(throws: IOFailure.self) { try USBIPServer(try DeviceSpec(text)) }
    }
  }

  @Test func `a USB spec alone is no plug, and the refusal says what is`() {
    let failure = #expect(throws: IOFailure.self) {
      try DeviceSpec(.usb(.keychain)).makeTransport()
    }
    #expect(failure?.description.contains("fob emulate --usb") == true)
  }

  @Test func `the stock usbip lists the keychains as it does real devices`() throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.usbip), "apt-get install usbip")
    let server = try USBIPServer(DeviceSpec(.tcp(host: "127.0.0.1", port: 0)))
    let fleet = try KeychainFleet(
      (1...2).map {
        EmulatorConfiguration(serial: $0, usb: USBPort(server, number: Int($0), speed: .high))
      })
    try fleet.start()
    defer { fleet.stop() }
    try server.start()
    defer { server.stop() }
    guard case .tcp(_, let port) = server.address.kind else { return }
    #expect(port != 0)
    let process = Process()
    process.executableURL = URL(filePath: Self.usbip)
    process.arguments = ["--tcp-port", "\(port)", "list", "-r", "127.0.0.1"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    for line in [
      "1-1: ", "1-2: ", "(1209:0001)", "/sys/devices/fob/usb1/1-2", "(02/00/00)", "(02/02/00)",
      "(0a/00/00)",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
  }
}
