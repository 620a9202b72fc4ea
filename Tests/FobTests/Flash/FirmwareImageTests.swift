import Foundation
import TestSupport
import Testing
import Transport

@testable import fob

/// Images and drives as `fob flash` reads them.
@Suite struct FirmwareImageTests {
  @Test func `the built firmware names its board, and what it answers to FW_INFO`() throws {
    let elf = try BoardFirmware.keychain(.microbit).path()
    let image = try FirmwareImage(path: elf.replacing(".elf", with: ".hex"))
    #expect(image.board == .microbit && image.board.version == .one)
    #expect(image.firmware == KeychainFirmware(Array("fob keychain\u{0}0.1.0".utf8)))
  }

  @Test func `bytes are read at their addresses, upper ones included`() throws {
    let hex = try IntelHex(
      [
        HexWriter.record(4, 0, [0, 3]), HexWriter.record(0, 0x8000, [0x66, 0x6F, 0x62, 0]),
        HexWriter.record(2, 0, [0x10, 0x00]), HexWriter.record(0, 2, [7]),
        HexWriter.record(5, 0, [0, 0, 0, 1]), HexWriter.record(1, 0, []),
      ].joined(separator: "\r\n"))
    #expect(hex.text(at: 0x3_8000) == "fob" && hex.bytes[0x1_0002] == 7 && hex.bytes.count == 5)
    #expect(hex.address(of: [0x6F, 0x62]) == 0x3_8001 && hex.address(of: [9]) == nil)
  }

  @Test(arguments: [
    (":00000001FE", 1, "checksum"), (":0000000", 1, "no record"), ("00000001FF", 1, "no record"),
    (":0200000001FD", 1, "no record"), (":00000007F9", 1, "no firmware"),
    (":00000001FF\n:00000001FF", 2, "behind the end"), ("", 1, "not the end"),
    (":0000000G01FF", 1, "no record"),
  ])
  func `a line that breaks the format is named`(text: String, line: Int, words: String) {
    let fault = #expect(throws: IntelHex.Fault.self) { try IntelHex(text) }
    #expect(fault?.line == line)
    #expect(fault?.reason.contains(words) == true, "\(fault?.description ?? "none")")
  }

  @Test(arguments: 1...(Soak.isOn ? 2_000 : 50) as ClosedRange<UInt64>)
  func `whatever a file says, it is read or refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try ScratchDirectory()
    let path = folder.path("drawn.hex")
    // At the end of all addresses, too.
    let upper = HexWriter.record(4, 0, [0xFF, 0xFF])
    var lines = HexWriter.image().split(separator: "\n").map(String.init)
    if Bool.random(using: &random) { lines.insert(upper, at: .random(in: 0..<9, using: &random)) }
    var bytes = Array(lines.joined(separator: "\n").utf8)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: bytes.indices, using: &random)
      bytes[place] = .random(in: 0...255, using: &random)
    }
    try Data(bytes).write(to: URL(filePath: path))
    do throws(Failure) {
      let image = try FirmwareImage(path: path)
      #expect(image.bytes == bytes)
    } catch {
      #expect(error.text.contains(path))
    }
  }

  @Test func `the last address has no next one`() throws {
    let hex = try IntelHex(
      [
        HexWriter.record(4, 0, [0xFF, 0xFF]), HexWriter.record(0, 0xFFFD, [0x66, 0x6F, 0x62]),
        HexWriter.record(1, 0, []),
      ].joined(separator: "\n"))
    #expect(hex.text(at: 0xFFFF_FFFD) == nil && hex.address(of: [0x62, 0]) == nil)
  }

  @Test func `the one micro:bit among the mounts is found by what stands on its drive`() throws {
    let folder = try ScratchDirectory()
    let stick = try drive("STICK", "not a board\n", in: folder)
    #expect(throws: Failure.self) { try MicrobitDrive.mounted(in: mounts([stick])) }
    let first = try drive("MY MICROBIT", FakeMicrobit.details, in: folder)
    let found = try MicrobitDrive.mounted(in: mounts([stick, first]))
    #expect(found.path == first && found.version == .one && found.boardID == "9900")
    let second = try drive("MICROBIT1", "Unique ID: 99050002\n", in: folder)
    let failure = #expect(throws: Failure.self) {
      try MicrobitDrive.mounted(in: mounts([first, second]))
    }
    #expect(failure?.text.contains("choose one with --drive, of \(first), \(second)") == true)
  }

  @Test func `an old DAPLink tells its board in MICROBIT.HTM`() throws {
    let folder = try ScratchDirectory()
    let path = try drive("MICROBIT", "Version: 0234\n", in: folder)
    try Data(#"url=https://microbit.org/device/?id=9901&v=0234""#.utf8)
      .write(to: URL(filePath: path + "/MICROBIT.HTM"))
    let found = try MicrobitDrive(at: path)
    #expect(found.boardID == "9901" && found.uniqueID == nil)
    #expect(found.port(in: [port(0, "9901000052"), port(1, "9904000052")]) == "/dev/ttyACM0")
    #expect(found.port(in: [port(0, "9901000052"), port(1, "9901000053")]) == nil)
  }

  @Test func `the port is that of the drive's own board`() throws {
    let folder = try ScratchDirectory()
    let found = try MicrobitDrive(at: drive("MICROBIT", "Unique ID: 990412\n", in: folder))
    #expect(found.port(in: [port(0, "990413"), port(1, "990412")]) == "/dev/ttyACM1")
    #expect(found.port(in: [port(0, "990413"), port(1, "990412", vendor: "0403")]) == nil)
  }

  private func drive(
    _ name: String, _ details: String, in folder: ScratchDirectory
  ) throws -> String {
    let path = folder.path(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(details.utf8).write(to: URL(filePath: path + "/DETAILS.TXT"))
    return path
  }

  private func mounts(_ folders: [String]) -> String {
    "/dev/sda1 / ext4 rw 0 0\n"
      + folders.map { "/dev/sdb \($0.replacing(" ", with: "\\040")) vfat rw 0 0\n" }.joined()
  }

  private func port(_ number: Int, _ serial: String, vendor: String = "0d28") -> SerialPort {
    var port = SerialPort(
      path: "/dev/ttyACM\(number)", spec: "serial:/dev/ttyACM\(number)", names: [])
    port.usb = SerialPort.USB(vendor: vendor, product: "0204", serial: serial, name: nil)
    return port
  }
}
