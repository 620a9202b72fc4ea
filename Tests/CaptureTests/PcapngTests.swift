import Capture
import TestSupport
import Testing

@Suite struct PcapngTests {
  @Test func `what was written is read again, however the file is cut into reads`() throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let packets = CaptureSample.packets(using: &random)
      let file = CaptureSample.file(packets)
      var reader = PcapngReader()
      var found: [CapturedPacket] = []
      var rest = file[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...700, using: &random)
        reader.append(rest.prefix(count))
        rest = rest.dropFirst(count)
        while let packet = try reader.next() { found.append(packet) }
      }
      #expect(found == packets, "seed \(seed)")
      #expect(reader.unfinishedBytes == 0)
    }
  }

  @Test func `every strict prefix of a file is read as far as whole blocks go`() throws {
    var random = SeededGenerator(seed: 3)
    let packets = Array(CaptureSample.packets(using: &random).prefix(8))
    var writer = PcapngWriter()
    var file = writer.begin(application: "fob test")
    var ends: [Int] = []
    for packet in packets {
      file += writer.append(packet)!
      ends.append(file.count)
    }
    for length in 0..<file.count {
      var reader = PcapngReader()
      reader.append(file.prefix(length))
      var found: [CapturedPacket] = []
      while let packet = try reader.next() { found.append(packet) }
      #expect(found == Array(packets.prefix(ends.count { $0 <= length })), "\(length) bytes")
      #expect(reader.unfinishedBytes < 2_048)
    }
  }

  @Test func `the bytes of a small file are those of the format`() {
    var writer = PcapngWriter()
    let begin = writer.begin(application: "fob")
    let packet = writer.append(
      CapturedPacket(
        device: "a", microseconds: 0x1_0000_0002, direction: .toDevice, bytes: [1, 2, 0],
        comment: "?"))!
    let words: [UInt32] = [
      0x0A0D_0D0A, 40, 0x1A2B_3C4D, 1, .max, .max, 0x0003_0004, 0x0062_6F66, 0, 40,
      1, 40, 147, 0, 0x0001_0002, 0x61, 0x0001_0009, 6, 0, 40,
      6, 56, 0, 1, 2, 3, 3, 0x0000_0201, 0x0004_0002, 2, 0x0001_0001, 0x3F, 0, 56,
    ]
    #expect(
      (begin + packet)
        == words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
  }

  @Test func `a line is described once, and not more lines than a file may have`() throws {
    var writer = PcapngWriter()
    func append(_ device: String) -> [UInt8]? {
      writer.append(
        CapturedPacket(device: device, microseconds: 1, direction: .toHost, bytes: [1, 0]))
    }
    let first = try #require(append("line 0"))
    let again = try #require(append("line 0"))
    #expect(first.suffix(again.count) == again[...] && first.count > again.count)
    for number in 1..<CaptureLimits.interfaces { #expect(append("line \(number)") != nil) }
    #expect(append("one more") == nil)
    #expect(append("line 0") == again)
  }

  @Test func `a long name and comment are cut at a character`() throws {
    let packet = CapturedPacket(
      device: String(repeating: "é", count: 700), microseconds: 1, direction: .toHost, bytes: [0],
      comment: "a" + String(repeating: "é", count: 700))
    var reader = PcapngReader()
    reader.append(CaptureSample.file([packet]))
    let read = try #require(try reader.next())
    #expect(read.device == String(repeating: "é", count: 512))
    #expect(read.comment == "a" + String(repeating: "é", count: 511))
  }

  @Test(arguments: [
    (0, 0x0D as UInt8, "no pcapng file"), (8, 0x1A, "no pcapng file"), (12, 2, "pcapng 2.0"),
    (4, 41, "whole fours"), (7, 1, "12 to"), (40, 48, "48 at its end"), (52, 1, "link type 1"),
    (72, 3, "time resolution 3"), (92, 9, "line 9"), (104, 200, "200 bytes"),
    (118, 80, "option"), (120, 0, "which way"),
  ])
  func `a damaged file is an error that says what and where`(
    at: Int, byte: UInt8, words: String
  ) throws {
    var file = CaptureSample.file([
      CapturedPacket(device: "a", microseconds: 5, direction: .toHost, bytes: [1, 2, 0, 0])
    ])
    file[at] = byte
    var reader = PcapngReader()
    reader.append(file)
    let error = try #require(throws: CaptureError.self) { while try reader.next() != nil {} }
    let text = error.description
    #expect(text.hasPrefix("at byte "), "\(text)")
    #expect(text.contains(words), "\(text)")
    #expect(throws: error) { try reader.next() }
  }

  @Test func `a file of the other byte order is refused with a hint`() {
    var reader = PcapngReader()
    reader.append([0x0A, 0x0D, 0x0D, 0x0A, 0, 0, 0, 28, 0x1A, 0x2B, 0x3C, 0x4D])
    let error = #expect(throws: CaptureError.self) { try reader.next() }
    #expect(error?.reason == .bigEndian)
  }

  @Test func `blocks of other kinds are read over, and a new section begins anew`() throws {
    let packet = CapturedPacket(device: "a", microseconds: 5, direction: .toHost, bytes: [1, 0])
    let file = CaptureSample.file([packet])
    let other: [UInt8] = [5, 0, 0, 0, 16, 0, 0, 0, 9, 9, 9, 9, 16, 0, 0, 0]
    var reader = PcapngReader()
    reader.append(file + other + file)
    #expect(try reader.next() == packet)
    #expect(try reader.next() == packet)
    #expect(try reader.next() == nil)
  }

  @Test func `any damage to a file never traps, and ends in an error or an end`() {
    var random = SeededGenerator(seed: 9)
    let file = CaptureSample.file(CaptureSample.packets(using: &random))
    for _ in 0..<3_000 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<damaged.count, using: &random)
        damaged[at] = UInt8.random(in: 0...255, using: &random)
      }
      var reader = PcapngReader()
      reader.append(damaged)
      while case .some(.some(let packet)) = try? reader.next() {
        #expect(packet.bytes.count <= CaptureLimits.maxPacketSize)
      }
    }
  }
}

enum CaptureSample {
  static func packets(using random: inout SeededGenerator) -> [CapturedPacket] {
    let devices = ["pty:/tmp/a", "8000000000000001", "ein Gerät"]
    return (0..<Int.random(in: 1...30, using: &random)).map { _ in
      CapturedPacket(
        device: devices.randomElement(using: &random)!,
        microseconds: Int64.random(in: 0...Int64.max, using: &random),
        direction: Bool.random(using: &random) ? .toHost : .toDevice,
        bytes: Sample.random(Int.random(in: 0...600, using: &random), zeros: 0.1, using: &random),
        comment: Bool.random(using: &random) ? nil : "wrong CRC")
    }
  }

  static func file(_ packets: [CapturedPacket]) -> [UInt8] {
    var writer = PcapngWriter()
    return packets.reduce(writer.begin(application: "fob test")) { $0 + writer.append($1)! }
  }
}
