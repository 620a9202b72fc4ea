/// Hexadecimal digits and text.
package enum Hex {
  /// - Returns: 0 to 15; nil for a byte that is no digit. Letters of both cases are read.
  package static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// A capital digit, as NMEA 0183 has it.
  ///
  /// - Parameter value: 0 to 15.
  package static func capital(_ value: UInt8) -> UInt8 {
    value &+ (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") &- 10)
  }
}

#if !hasFeature(Embedded)
  extension Hex {
    /// Two digits for each byte, in small letters.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
      let digits = Array("0123456789abcdef".utf8)
      let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
      return String(decoding: text, as: UTF8.self)
    }

    /// In small letters, with leading zeros up to `digits`.
    package static func text(_ number: UInt64, digits: Int) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Reads pairs of hexadecimal digits, without anything between; nil for anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
      let digits = Array(text.utf8)
      guard digits.count.isMultiple(of: 2) else { return nil }
      var bytes: [UInt8] = []
      bytes.reserveCapacity(digits.count / 2)
      for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else {
          return nil
        }
        bytes.append(high << 4 | low)
      }
      return bytes
    }
  }
#endif
