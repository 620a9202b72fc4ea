import Glibc
import SerialIO
import TestSupport
import Testing

/// Bytes that a broken or hostile client might send.
enum Garbage {
  private static let scraps: [[UInt8]] = [
    Array(#"{"n":1}"#.utf8), Array(#"{"n":"#.utf8), Array("[[[{".utf8), Array("nul".utf8),
    Array(#""\ud800""#.utf8), [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF], [0x0D],
    Array("1e999999".utf8), Array(#"{"n":-0}"#.utf8), [0xC0, 0x80], [0x7B, 0x00],
  ]

  static func stream(using random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 1...60, using: &random)).flatMap { _ -> [UInt8] in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: scraps.randomElement(using: &random)!
      case 1: [0x0A]
      case 2: [UInt8](repeating: 0x61, count: Int.random(in: 1...3_000, using: &random))
      default:
        (0..<Int.random(in: 1...20, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      }
    }
  }

  /// How many lines deserve an answer: those that are not empty.
  static func lines(of stream: [UInt8]) -> Int {
    stream.split(separator: 0x0A).count { $0 != [0x0D] }
  }

  static func readToEnd(of socket: borrowing OwnedDescriptor) throws -> [String] {
    let deadline = Fixture.deadline()
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = try chunk.withUnsafeMutableBytes { try socket.read(into: $0) }
      if count == 0 { break }
      if let count {
        bytes += chunk[..<count]
      } else {
        let events = try Syscall.poll(socket.number, for: POLLIN, until: deadline)
        try #require(events != 0, "the server did not close")
      }
    }
    return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }
}
