/// How deep and how wide a JSON text may be, found out before anything decodes it: what a decoder
/// takes grows with both, and whoever sends the text chooses them.
///
/// Each byte is looked at once and nothing is built. What is let through may still be no JSON: its
/// decoder says so, at a cost that is bounded.
public struct JSONBounds: Equatable, Sendable {
  public enum Excess: Error, Equatable, Sendable {
    case depth
    case values
    /// A number, or another bare word, of too many characters.
    case word
    /// JSON in UTF-8 holds no NUL. In UTF-16, which decoders take, too, each bracket has one: there
    /// the brackets of a text could be hidden from this scan.
    case encoding
  }

  public let depth: Int
  /// Values, and one more for each empty object or array.
  public let values: Int
  /// Bytes of a number.
  public let word: Int

  public init(depth: Int, values: Int, word: Int) {
    self.depth = depth
    self.values = values
    self.word = word
  }

  /// Nil: the text is within these bounds.
  public func excess(in text: UnsafeRawBufferPointer) -> Excess? {
    var (deep, wide, long) = (0, 1, 0)
    var (isString, isEscaped) = (false, false)
    for byte in text {
      if byte == 0 { return .encoding }
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        (isString, long) = (true, 0)
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        (deep, wide, long) = (deep + 1, wide + 1, 0)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        // One that closes nothing is the decoder's to refuse.
        (deep, long) = (max(0, deep - 1), 0)
      case UInt8(ascii: ","): (wide, long) = (wide + 1, 0)
      case UInt8(ascii: ":"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D: long = 0
      default: long += 1
      }
      if deep > depth { return .depth }
      if wide > values { return .values }
      if long > word { return .word }
    }
    return nil
  }
}
