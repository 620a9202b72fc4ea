import WireProtocol

/// A stream of the vectors. Each of its good frames is one that a device rejects, so that what it
/// took for a frame is seen from outside.
struct StreamVector: Sendable {
  let name: String
  let bytes: [UInt8]
  /// Bodies.
  let good: [[UInt8]]

  init(_ name: String, _ bytes: String, good: [String]) {
    self.name = name
    self.bytes = Self.bytes(bytes)
    self.good = good.map(Self.bytes)
  }

  /// The vectors' bodies are of another major version, or too short for their type.
  static func answer(to body: [UInt8]) -> Reject {
    Reject(
      type: body[1], reason: body[0] >> 4 == 1 ? .tooShort : .version, sequence: sequence(of: body))
  }

  static func sequence(of body: [UInt8]) -> UInt16 { UInt16(body[2]) | UInt16(body[3]) << 8 }

  /// Hexadecimal digits; `55*24` is a byte, so many times.
  static func bytes(_ text: String) -> [UInt8] {
    text.split(separator: " ").flatMap { word -> [UInt8] in
      let parts = word.split(separator: "*")
      if parts.count == 2, let byte = UInt8(parts[0], radix: 16), let count = Int(parts[1]) {
        return [UInt8](repeating: byte, count: count)
      }
      let digits = Array(word)
      return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
      }
    }
  }
}
