import FobBase
import Foundation
import TestSupport
import Testing

@testable import fob

/// `fob attach` and `fob detach` in a made-up `/sys`, against a USB/IP server of the test.
@Suite struct AttachTests {
  private let scratch: ScratchDirectory
  private let folder: String

  init() throws {
    scratch = try ScratchDirectory()
    folder = scratch.path("root/sys/devices/platform/vhci_hcd.0")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write("status", VHCIPortTests.text)
    try write("attach", "")
    try write("detach", "")
  }

  @Test func `the one device is attached to the lowest free port, by its serial number`() throws {
    let server = try FakeUSBIPServer([.init(busID: "1-1", serial: "8000000000000001")], in: scratch)
    let (output, code) = try fob("attach", "unix:\(server.path)")
    #expect(code == 0)
    #expect(output == "attached 8000000000000001 as port 1\n")
    let order = try read("attach").split(separator: " ")
    #expect(order.count == 4)
    #expect(order.first == "1" && order.dropFirst(2) == ["\(1 << 16 | 1)", "2"])
    #expect(server.requests == ["list", "1-1"])
  }

  @Test func `of several, one is chosen by bus id without asking the others`() throws {
    let server = try three()
    let (output, code) = try fob("attach", "unix:\(server.path)", "--device", "1-3")
    #expect(code == 0 && output == "attached 8000000000000003 as port 1\n")
    #expect(server.requests == ["list", "1-3"])
  }

  @Test func `of several, one is chosen by the serial number that it tells`() throws {
    let server = try three()
    let (output, code) = try fob("attach", "unix:\(server.path)", "--device", "8000000000000002")
    #expect(code == 0 && output == "attached 8000000000000002 as port 1\n")
    #expect(server.requests == ["list", "1-1", "1-2"])
  }

  @Test func `all are attached, a fast one to the other hub; a second status file has ports, too`()
    throws
  {
    // This kernel's files do not change by themselves: each device needs a hub of its own.
    let server = try FakeUSBIPServer(
      [
        .init(busID: "1-1", serial: "8000000000000001"),
        .init(busID: "1-2", serial: "8000000000000002", speed: 5),
      ], in: scratch)
    try write("status", "hub port sta spd dev      sockfd local_busid\n")
    try write(
      "status.1",
      "hub port sta spd dev      sockfd local_busid\n"
        + "hs  0017 004 000 00000000 000000 0-0\nss  0024 004 000 00000000 000000 0-0\n")
    let (output, code) = try fob("attach", "unix:\(server.path)", "--all")
    #expect(code == 0)
    #expect(
      output == "attached 8000000000000001 as port 17\nattached 8000000000000002 as port 24\n")
  }

  @Test func `with --wait it says which node the keychain has become`() throws {
    let server = try FakeUSBIPServer([.init(busID: "1-1", serial: "8000000000000001")], in: scratch)
    let links = scratch.path("root/dev/fob")
    try FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: links + "/8000000000000001", withDestinationPath: "../ttyACM4")
    let (output, code) = try fob("attach", "unix:\(server.path)", "--wait")
    #expect(code == 0)
    #expect(output.hasSuffix("8000000000000001 is /dev/ttyACM4, /dev/fob/8000000000000001\n"))
  }

  @Test func `a name that does not come is an error that says where to look`() throws {
    let wait = NodeWait(root: scratch.path, patience: .seconds(0))
    let failure = #expect(throws: Failure.self) { try wait.node(of: "8000000000000001") }
    #expect(failure?.status == .timedOut)
    #expect(failure?.text.contains("fob doctor") == true)
  }

  @Test func `what cannot be attached is said with a hint`() throws {
    let server = try three()
    let address = "unix:\(server.path)"
    try expect(["attach", address], 64, "1-1, 1-2, 1-3: say --device")
    try expect(["attach", address, "--device", "1-9"], 66, "no device 1-9: it has 1-1, 1-2, 1-3")
    try expect(["attach", "unix:/nonexistent/usbip"], 69, "fob emulate --usb")
    try expect(["attach", "pty:/tmp/x"], 64, "write tcp:HOST:PORT or unix:PATH")
    try expect(["attach", address, "--all", "--device", "1-1"], 64, "--all")
    try write("status", VHCIPortTests.text.replacing("hs  0001 004", with: "hs  0001 006"))
    try expect(["attach", address, "--device", "1-1"], 66, "no port is free")
    try FileManager.default.removeItem(atPath: folder + "/status")
    try expect(["attach", address], 66, "sudo modprobe vhci-hcd")
  }

  @Test func `a device that somebody else has is said to be taken`() throws {
    let server = try FakeUSBIPServer(
      [.init(busID: "1-1", serial: "8000000000000001", isTaken: true)], in: scratch)
    try expect(["attach", "unix:\(server.path)"], 77, "somebody else has it")
    let empty = try FakeUSBIPServer([], in: ScratchDirectory())
    try expect(["attach", "unix:\(empty.path)"], 66, "all are attached or unplugged")
  }

  @Test func `one that somebody else took meanwhile is passed over in the search by serial number`()
    throws
  {
    let server = try FakeUSBIPServer(
      [
        .init(busID: "1-1", serial: "8000000000000001", isTaken: true),
        .init(busID: "1-2", serial: "8000000000000002"),
      ], in: scratch)
    try expect(
      ["attach", "unix:\(server.path)", "--device", "8000000000000002"], 0,
      "attached 8000000000000002 as port 1")
    try expect(["attach", "unix:\(server.path)", "--device", "1-1"], 77, "somebody else has it")
  }

  @Test func `what is attached is detached by serial number, by port, alone or all`() throws {
    try device("1-1", serial: "8000000000000001")
    try expect(["detach"], 64, "attached are 8000000000000001 at port 0, a device at port 2")
    try expect(["detach", "8000000000000001"], 0, "detached 8000000000000001 from port 0")
    #expect(try read("detach") == "0")
    try expect(["detach", "2"], 0, "from port 2")
    #expect(try read("detach") == "2")
    try expect(["detach", "--all"], 0, "from port 2")
    try expect(["detach", "8000000000000009"], 66, "no device 8000000000000009 is attached")
    try write("status", VHCIPortTests.text.replacing("hs  0002 005", with: "hs  0002 004"))
    try expect(["detach"], 0, "detached 8000000000000001 from port 0")
    try write(
      "status",
      VHCIPortTests.text.replacing(" 005 ", with: " 004 ").replacing(" 006 ", with: " 004 "))
    try expect(["detach", "--all"], 66, "nothing is attached")
  }

  private func three() throws -> FakeUSBIPServer {
    try FakeUSBIPServer(
      (1...3).map { .init(busID: "1-\($0)", serial: "800000000000000\($0)") }, in: scratch)
  }

  private func fob(_ arguments: String...) throws -> (output: String, code: Int32?) {
    let fob = try RunningFob(
      arguments + ["--root", scratch.path("root")], in: scratch, awaitsReady: false)
    let code = fob.awaitEnd()
    return (fob.output, code)
  }

  private func expect(_ arguments: [String], _ code: Int32, _ words: String) throws {
    let fob = try RunningFob(
      arguments + ["--root", scratch.path("root")], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == code, "\(arguments): \(fob.output)")
    #expect(fob.output.contains(words), "\(arguments): \(fob.output)")
  }

  private func device(_ busID: String, serial: String) throws {
    let device = scratch.path("root/sys/bus/usb/devices/\(busID)")
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    try Data("\(serial)\n".utf8).write(to: URL(filePath: device + "/serial"))
  }

  private func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }
}
