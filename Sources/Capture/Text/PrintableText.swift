/// Makes text of a device harmless: a terminal would obey control characters in it.
public enum PrintableText {
  /// Control characters and marks that turn the direction of text become escapes such as `\r`, `\n`
  /// or `\u{1b}`; bytes that are no UTF-8 become U+FFFD.
  public static func of(_ bytes: [UInt8]) -> String { of(String(decoding: bytes, as: UTF8.self)) }

  /// Escapes text that is already decoded.
  public static func of(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": shown.append(contentsOf: "\\r".unicodeScalars)
      case "\n": shown.append(contentsOf: "\\n".unicodeScalars)
      case "\t": shown.append(contentsOf: "\\t".unicodeScalars)
      default:
        if obeys(scalar.value) {
          shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
        } else {
          shown.append(scalar)
        }
      }
    }
    return String(shown)
  }

  private static func obeys(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
