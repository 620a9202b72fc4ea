import Capture
import FobBase
import Foundation
import TestSupport
import Testing

/// A capture read by a program that shares nothing with this one: the format's own blocks by
/// Python's `struct`.
@Suite(.enabled(if: Python.isThere, "NOT RUN: python3 is not installed"))
struct IndependentReaderTests {
  @Test func `an independent reader finds every line and packet`() throws {
    var random = SeededGenerator(seed: 21)
    let packets = CaptureSample.packets(using: &random)
    let scratch = try ScratchDirectory()
    let path = scratch.path("capture.pcapng")
    try Data(CaptureSample.file(packets)).write(to: URL(filePath: path))
    let lines = try Python.run(Self.script, path).split(separator: "\n").map(String.init)
    let names = packets.map(\.device).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    #expect(lines.first == "section 1.0 -1 fob test")
    #expect(lines.dropFirst().filter { $0.hasPrefix("line") } == names.map { "line 147 6 \($0)" })
    #expect(
      lines.filter { $0.hasPrefix("packet") }
        == packets.map { packet in
          let number = names.firstIndex(of: packet.device)!
          let way = packet.direction == .toHost ? 1 : 2
          return "packet \(number) \(packet.microseconds) \(way) \(Hex.text(packet.bytes))"
            + " \(packet.comment ?? "-")"
        })
    #expect(lines.count == 1 + names.count + packets.count)
  }

  private static let script = #"""
    import struct, sys
    data = open(sys.argv[1], "rb").read()
    def options(raw):
        found, at = {}, 0
        while at < len(raw):
            code, size = struct.unpack_from("<HH", raw, at)
            if code == 0:
                assert size == 0 and at + 4 == len(raw), "end of options"
                return found
            found[code] = raw[at + 4:at + 4 + size]
            at += 4 + (size + 3) // 4 * 4
        raise AssertionError("options without an end")
    at = 0
    while at < len(data):
        kind, size = struct.unpack_from("<II", data, at)
        assert size % 4 == 0 and struct.unpack_from("<I", data, at + size - 4)[0] == size
        body = data[at + 8:at + size - 4]
        at += size
        if kind == 0x0A0D0D0A:
            magic, major, minor, length = struct.unpack_from("<IHHq", body)
            assert magic == 0x1A2B3C4D
            print(f"section {major}.{minor} {length} {options(body[16:])[4].decode()}")
        elif kind == 1:
            link, reserved, snap = struct.unpack_from("<HHI", body)
            assert (reserved, snap) == (0, 0)
            o = options(body[8:])
            print(f"line {link} {o[9][0]} {o[2].decode()}")
        elif kind == 6:
            number, high, low, kept, there = struct.unpack_from("<IIIII", body)
            assert kept == there
            o = options(body[20 + (kept + 3) // 4 * 4:])
            flags = struct.unpack("<I", o[2])[0]
            comment = o[1].decode() if 1 in o else "-"
            run = body[20:20 + kept].hex()
            print(f"packet {number} {high << 32 | low} {flags} {run} {comment}")
        else:
            raise AssertionError(f"block {kind}")
    """#
}

private enum Python {
  static let path = "/usr/bin/python3"
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

  static func run(_ script: String, _ argument: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-c", script, argument]
    process.environment = ["PYTHONIOENCODING": "utf-8"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }
}
