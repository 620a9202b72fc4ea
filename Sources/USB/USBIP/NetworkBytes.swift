/// Writes numbers as USB/IP's headers have them, the most significant byte first.
extension [UInt8] {
  mutating func appendNetwork<T: FixedWidthInteger>(_ value: T) {
    var shift = T.bitWidth
    while shift > 0 {
      shift -= 8
      append(UInt8(truncatingIfNeeded: value >> T(shift)))
    }
  }

  /// Text in a field of fixed length, filled up with zeros; what does not fit is cut off, and a
  /// zero always ends it.
  mutating func appendText(_ text: String, field: Int) {
    let bytes = text.utf8.prefix(field - 1)
    append(contentsOf: bytes)
    append(contentsOf: repeatElement(0, count: field - bytes.count))
  }
}

/// Reads fields one after another. The caller has checked the length.
struct NetworkReader {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T {
    var value: T = 0
    for _ in 0..<T.bitWidth / 8 {
      value = (T.bitWidth > 8 ? value << 8 : 0) | T(truncatingIfNeeded: bytes[at])
      at += 1
    }
    return value
  }

  mutating func skip(_ count: Int) { at += count }

  /// Text of a field up to its first zero; what is no UTF-8 is replaced.
  mutating func text(field: Int) -> String {
    let field = bytes[at..<at + field]
    at = field.endIndex
    return String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }
}
