import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing
import USB

/// `fob emulate --usb` as a process.
@Suite struct USBCommandTests {
  @Test func `keychains are told with the ways to attach them, real processes`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path("usbip")
    let fob = try RunningFob(
      [
        "emulate", "--usb", "unix:\(path)", "--usb-speed", "high", "--count", "2", "--serial",
        "41", "--control", scratch.path("control"),
      ], in: scratch)
    #expect(
      fob.output.split(separator: "\n").map(String.init)
        == ["29", "2a"].enumerated().map { index, digits in
          let device = "80000000000000\(digits)"
          return "keychain \(device) on usb:1209:0001:\(device), bus id 1-\(index + 1) at"
            + " unix:\(path): fob attach unix:\(path) --device \(device)"
        })
    #expect(try busIDs(at: path) == ["1-1", "1-2"])
    let talk = try Talk(scratch.path("control"))
    let state = try talk.must(["do": "state", "serial": 42])
    let usb = try #require(state["usb"] as? [String: Any])
    #expect(usb["bus_id"] as? String == "1-2" && usb["speed"] as? String == "high")
    #expect(usb["imported"] as? Bool == false && usb["line"] as? String == "115200 8N1")
    try talk.must(["do": "unplug", "serial": 41])
    #expect(try busIDs(at: path) == ["1-2"])
    try talk.must(["do": "replug", "serial": 41])
    #expect(try busIDs(at: path) == ["1-1", "1-2"])
    fob.interrupt()
    #expect(fob.awaitEnd() == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `at a TCP port the stock usbip is named, real processes`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["emulate", "--usb", "tcp:127.0.0.1:0", "--control", scratch.path("control")], in: scratch)
    let port = try #require(fob.output.firstMatch(of: #/at tcp:127.0.0.1:(\d+): /#)?.output.1)
    #expect(port != "0")
    #expect(fob.output.contains("usbip --tcp-port \(port) attach -r 127.0.0.1 -b 1-1\n"))
    fob.interrupt()
    #expect(fob.awaitEnd() == 0)
  }

  @Test(arguments: [
    (["emulate", "--usb", "--on", "pty:/tmp/x"], "leave --on and --link out"),
    (["emulate", "--usb", "unix:/tmp/x", "--link", "/tmp/y"], "leave --on and --link out"),
    (["emulate", "--usb", "pty:/tmp/x"], "tcp:HOST:PORT or unix:PATH"),
    (["emulate", "--usb", "carrier-pigeon"], "carrier-pigeon"),
    (["emulate", "--usb-speed", "high"], "--usb-speed says nothing without --usb"),
    (["emulate", "--usb", "--usb-speed", "super"], "super"),
    (["run", "--on", "usb:1209:0001"], "fob emulate --usb"),
    (["run", "--on", "tty:1209:0001"], "fob emulate --usb"),
  ])
  func `what cannot be is refused with a hint`(
    arguments: [String], words: String
  ) throws {
    let fob = try RunningFob(arguments, in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 64, "\(fob.output)")
    #expect(fob.output.contains(words), "\(fob.output)")
  }

  @Test func `an address that is taken is named`() throws {
    let scratch = try ScratchDirectory()
    let taken = try UnixListener(path: scratch.path("usbip"))
    let fob = try RunningFob(
      [
        "emulate", "--usb", "unix:\(taken.path)", "--control", scratch.path("control"),
      ], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() != 0)
    #expect(fob.output.contains(taken.path), "\(fob.output)")
    #expect(!fob.output.contains("--control"), "\(fob.output)")
  }

  /// Of what the server at a path lists.
  private func busIDs(at path: String) throws -> [String] {
    let socket = try UnixSocket.connect(path: path)
    _ = try USBIPRequest.deviceList.bytes.withUnsafeBytes { try socket.send($0) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let deadline = BootClock.now() + .seconds(10)
    while try Syscall.poll(socket.number, for: 1, until: deadline) != 0 {
      let count = try chunk.withUnsafeMutableBytes { try socket.read(into: $0) } ?? 0
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    let size = USBIPDeviceRecord.size + 2 * USBIPInterface.size
    try #require(bytes.count >= 12 && (bytes.count - 12) % size == 0)
    return stride(from: 12, to: bytes.count, by: size).compactMap { start in
      bytes[start...].withUnsafeBytes { USBIPDeviceRecord($0)?.busID }
    }
  }
}
