import Foundation
import TestSupport
import Testing
import Transport

@testable import fob

/// Images as `fob flash` reads them.
@Suite struct FirmwareImageTests {
  @Test func `the built firmware of both boards names its board, and what it answers to FW_INFO`()
    throws
  {
    for (board, firmware) in zip(
      FlashBoard.allCases, [BoardFirmware.keychain(.microbit), .microbitV2])
    {
      let path = try firmware.path().replacing(".elf", with: ".hex")
      let image = try FirmwareImage(path: path, for: board)
      #expect(image.board == board)
      #expect(image.firmware == KeychainFirmware(Array("fob keychain\u{0}0.1.0".utf8)))
    }
  }

  @Test func `a variant for tests is no image of the board`() throws {
    for (firmware, name) in [
      (BoardFirmware.helpers, "microbit-helpers"), (.lockstep(.microbit), "microbit-lockstep"),
    ] {
      let path = try firmware.path().replacing(".elf", with: ".hex")
      let failure = #expect(throws: Failure.self) {
        try FirmwareImage(path: path, for: .microbit)
      }
      #expect(
        failure?.text
          == "\(path) is the image of \(name), not microbit: build it with make firmware"
          + " BOARD=microbit")
    }
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
      let image = try FirmwareImage(path: path, for: .microbit)
      #expect(image.bytes == bytes)
    } catch {
      #expect(error.text.contains(path))
    }
  }

  @Test func `what is no regular file is no image, and is not waited for`() throws {
    let folder = try ScratchDirectory()
    for other in OtherFile.allCases {
      let path = folder.path("\(other).hex")
      try other.make(at: path)
      let failure = #expect(throws: Failure.self) {
        try FirmwareImage(path: path, for: .microbit)
      }
      #expect(failure?.text.contains("it is no regular file") == true)
    }
  }

  @Test func `an image that no micro:bit holds is not read`() throws {
    let folder = try ScratchDirectory()
    let path = folder.path("large.hex")
    try Data(repeating: 0x0A, count: 3 << 19 + 1).write(to: URL(filePath: path))
    let failure = #expect(throws: Failure.self) { try FirmwareImage(path: path, for: .microbit) }
    #expect(failure?.text.contains("is larger than any micro:bit's flash") == true)
  }
}
