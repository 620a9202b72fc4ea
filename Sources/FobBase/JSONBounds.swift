/// Bounds on how deep and how wide a JSON text may be, checked before anything decodes it: the cost
/// of decoding grows with both, and the sender of the text chooses them.
///
/// The check looks at each byte once and builds nothing. A text within the bounds may still be no
/// JSON: the decoder finds that out, at a cost that is bounded.
public struct JSONBounds: Equatable, Sendable {
  /// The bound that a text exceeds.
  public enum Excess: Error, Equatable, Sendable {
    case depth
    case values
    /// A number, or another bare word, of too many characters.
    case word
    /// A NUL: JSON in UTF-8 holds none. Decoders also take UTF-16, where each bracket has one, and
    /// the brackets of a text could be hidden from this check.
    case encoding
  }

  /// Objects and arrays within each other.
  public let depth: Int
  /// Values in the whole text. An empty object or array counts as two.
  public let values: Int
  /// Bytes of a number, or of another word without quotes.
  public let word: Int

  /// Each is the largest that is let through.
  public init(depth: Int, values: Int, word: Int) {
    self.depth = depth
    self.values = values
    self.word = word
  }

  /// The first bound that the text exceeds; nil: it is within all of them.
  public func excess(in text: UnsafeRawBufferPointer) -> Excess? {
    var (deep, wide, long) = (0, 1, 0)
    var strings = StringReading()
    for byte in text {
      if byte == 0 { return .encoding }
      if strings.takes(byte) { continue }
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        (deep, wide, long) = (deep + 1, wide + 1, 0)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        // The decoder refuses a bracket that closes nothing.
        (deep, long) = (max(0, deep - 1), 0)
      case UInt8(ascii: ","): (wide, long) = (wide + 1, 0)
      case UInt8(ascii: "\""), UInt8(ascii: ":"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D: long = 0
      default: long += 1
      }
      if deep > depth { return .depth }
      if wide > values { return .values }
      if long > word { return .word }
    }
    return nil
  }

  /// The members of all objects in a text that is JSON. A decoder finds fewer where an object has
  /// a key twice.
  public static func members(in text: UnsafeRawBufferPointer) -> Int {
    var count = 0
    var strings = StringReading()
    for byte in text where !strings.takes(byte) && byte == UInt8(ascii: ":") { count += 1 }
    return count
  }

  /// Follows the strings of a text: within them no byte is JSON's own.
  private struct StringReading {
    private var isString = false
    private var isEscaped = false

    /// Whether the byte stands in a string or ends it. The quote that begins one does not.
    mutating func takes(_ byte: UInt8) -> Bool {
      guard isString else {
        isString = byte == UInt8(ascii: "\"")
        return false
      }
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isString = false
      }
      return true
    }
  }
}
