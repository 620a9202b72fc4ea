import TestSupport
import WireProtocol

extension [UInt8] {
  var hex: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// As the body of a frame on the wire. At most 249 bytes.
  var framed: [UInt8] { WireFrame(FrameBody(raw: self)).bytes }

  static func random(_ count: Int, zeros: Double, using random: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in
      Double.random(in: 0..<1, using: &random) < zeros
        ? 0 : UInt8.random(in: 0...255, using: &random)
    }
  }

  /// Cut into pieces of random length, none of them empty.
  func chunks(upTo most: Int, using random: inout SeededGenerator) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    var at = 0
    while at < count {
      let end = Swift.min(count, at + Int.random(in: 1...most, using: &random))
      chunks.append(Array(self[at..<end]))
      at = end
    }
    return chunks
  }
}

extension FrameBody {
  init(raw bytes: [UInt8]) { self = bytes.withUnsafeBytes { FrameBody(raw: $0) } }

  var bytes: [UInt8] { withBytes { Array($0) } }

  /// What stands behind head, type and sequence number.
  var payload: [UInt8] { Array(bytes.dropFirst(4)) }
}

extension WireFrame {
  var bytes: [UInt8] { withBytes { Array($0) } }
}

extension Payload {
  var bytes: [UInt8] { FrameBody(self, sequence: 0).payload }

  init?(_ bytes: [UInt8]) {
    guard let value = bytes.withUnsafeBytes({ Self($0) }) else { return nil }
    self = value
  }
}
