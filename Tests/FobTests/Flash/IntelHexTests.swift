import TestSupport
import Testing

@testable import fob

/// Intel's format as it is read.
@Suite struct IntelHexTests {
  @Test func `bytes are read at their addresses, upper ones included`() throws {
    let hex = try read(
      HexWriter.record(4, 0, [0, 3]), HexWriter.record(0, 0x8000, [0x66, 0x6F, 0x62, 0]),
      HexWriter.record(2, 0, [0x10, 0x00]), HexWriter.record(0, 2, [7]),
      HexWriter.record(5, 0, [0, 0, 0, 1]), separator: "\r\n")
    #expect(hex.text(at: 0x3_8000) == "fob" && hex.bytes[0x1_0002] == 7 && hex.bytes.count == 5)
    #expect(hex.address(of: [0x6F, 0x62]) == 0x3_8001 && hex.address(of: [9]) == nil)
    #expect(hex.word(at: 0x3_8000) == 0x0062_6F66 && hex.word(at: 0x3_8001) == nil)
  }

  @Test(arguments: 1...(Soak.isOn ? 5_000 : 100) as ClosedRange<UInt64>)
  func `however its bytes are cut into lines, a file is read as it was written`(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    let flash = (0..<Int.random(in: 1...600, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let base: UInt32 = Bool.random(using: &random) ? 0x2_0000 : 0x2_FFF0
    var lines: [String] = []
    var place = 0
    while place < flash.count {
      let most = min(255, flash.count - place)
      let address = base + UInt32(place)
      let count = min(Int.random(in: 1...most, using: &random), 0x1_0000 - Int(address & 0xFFFF))
      let upper = UInt8(address >> 16)
      // The same origin, in a segment or linear.
      let origin =
        Bool.random(using: &random)
        ? HexWriter.record(2, 0, [upper << 4, 0]) : HexWriter.record(4, 0, [0, upper])
      let data = HexWriter.record(
        0, UInt16(address & 0xFFFF), Array(flash[place..<place + count]))
      lines.append("\(origin)\n\(Bool.random(using: &random) ? data : data.lowercased())")
      place += count
    }
    let hex = try IntelHex(
      Array(
        (lines.shuffled(using: &random) + [HexWriter.record(1, 0, [])])
          .joined(separator: "\n").utf8))
    #expect(hex.bytes.count == flash.count)
    #expect((0..<flash.count).allSatisfy { hex.bytes[base + UInt32($0)] == flash[$0] })
  }

  @Test(arguments: 1...(Soak.isOn ? 20_000 : 300) as ClosedRange<UInt64>)
  func `one character that is another one is found`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var file = Array(HexWriter.image().utf8.dropLast())
    let place = Int.random(in: file.indices, using: &random)
    let former = file[place]
    repeat {
      file[place] = .random(in: 0...255, using: &random)
      // A digit means the same in either case.
    } while file[place] & 0xDF == former & 0xDF
    #expect(throws: IntelHex.Fault.self) { try IntelHex(file) }
  }

  @Test(arguments: [
    (":00000001FE", 1, "checksum"), (":0000000", 1, "no record"), ("00000001FF", 1, "no record"),
    (":0200000001FD", 1, "no record"), (":00000007F9", 1, "no firmware"),
    (":00000001FF\n:00000001FF", 2, "behind the end"), ("", 1, "not the end"),
    (":0100000000FF\n\n", 1, "not the end"), (":0000000G01FF", 1, "no record"),
    (":+0000001FF", 1, "pairs of hexadecimal digits"),
    (":-0000001FF", 1, "pairs of hexadecimal digits"),
    (":0+00000001FF", 1, "pairs of hexadecimal digits"),
    (": 0000001FF", 1, "pairs of hexadecimal digits"),
    (":00000001FF ", 1, "pairs of hexadecimal digits"),
    (":٠٠000001FF", 1, "pairs of hexadecimal digits"),
  ])
  func `a line that breaks the format is named`(text: String, line: Int, words: String) {
    expectFault(Array(text.utf8), at: line, words)
  }

  @Test func `the longest record has 521 characters, and no line is read further`() throws {
    let longest = HexWriter.record(0, 0, [UInt8](repeating: 7, count: 255))
    #expect(longest.utf8.count == IntelHex.longestLine)
    #expect(try read(longest).bytes.count == 255)
    let end = "\n:00000001FF"
    for count in [1, 2, 1_400_000] {
      expectFault(
        Array((longest + String(repeating: "0", count: count) + end).utf8), at: 1,
        "which has 521 characters at most")
    }
  }

  @Test func `a line may say again what stands there, and nothing else`() throws {
    let (first, same) = (
      HexWriter.record(0, 0x10, [1, 2, 3]), HexWriter.record(0, 0x11, [2, 3, 4])
    )
    #expect(try read(first, same).bytes.count == 4)
    expectFault(
      lines(first, same, HexWriter.record(0, 0x12, [3, 5])), at: 3,
      "gives 00000013 another byte than a line before it")
  }

  @Test func `no line goes on at the beginning of its segment, or of all addresses`() throws {
    let data = HexWriter.record(0, 0xFFFD, [0x66, 0x6F, 0x62])
    for origin in [HexWriter.record(2, 0, [0, 0]), HexWriter.record(4, 0, [0xFF, 0xFF])] {
      #expect(try read(origin, data).bytes.count == 3)
    }
    let past = HexWriter.record(0, 0xFFFD, [0x66, 0x6F, 0x62, 0])
    expectFault(lines(past), at: 1, "goes past the end of its segment of 64 KB")
    expectFault(
      lines(HexWriter.record(2, 0, [0xF0, 0]), past), at: 2, "past the end of its segment")
    expectFault(
      lines(HexWriter.record(4, 0, [0xFF, 0xFF]), past), at: 2, "past the last address, FFFFFFFF")
    // Linear addresses go on.
    #expect(try read(HexWriter.record(4, 0, [0, 1]), past).bytes[0x2_0000] == 0)
  }

  @Test func `the last address has no next one`() throws {
    let hex = try read(
      HexWriter.record(4, 0, [0xFF, 0xFF]), HexWriter.record(0, 0xFFFD, [0x66, 0x6F, 0x62]))
    #expect(hex.text(at: 0xFFFF_FFFD) == nil && hex.address(of: [0x62, 0]) == nil)
  }

  private func lines(_ lines: String...) -> [UInt8] {
    Array((lines + [HexWriter.record(1, 0, [])]).joined(separator: "\n").utf8)
  }

  private func read(_ lines: String..., separator: String = "\n") throws -> IntelHex {
    try IntelHex(Array((lines + [":00000001FF"]).joined(separator: separator).utf8))
  }

  private func expectFault(_ file: [UInt8], at line: Int, _ words: String) {
    let fault = #expect(throws: IntelHex.Fault.self) { try IntelHex(file) }
    #expect(fault?.line == line, "\(fault?.description ?? "none")")
    #expect(fault?.reason.contains(words) == true, "\(fault?.description ?? "none")")
  }
}
