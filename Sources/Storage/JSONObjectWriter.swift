import AlertCore

/// Writes JSON objects straight into bytes, member by member. A commit writes its rows for each
/// press this way, since `Encoder` makes containers and boxes for each value.
///
/// Member names are written unescaped; texts are escaped as in `JSONText`.
struct JSONObjectWriter {
  private(set) var bytes: [UInt8] = []
  /// No member or element comes before the next one.
  private var isFirst = true

  init() { bytes.reserveCapacity(1_024) }

  mutating func object(_ write: (inout JSONObjectWriter) throws -> Void) rethrows {
    try enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), write)
  }

  mutating func member(_ name: StaticString, _ write: (inout JSONObjectWriter) -> Void) {
    self.name(name)
    write(&self)
  }

  mutating func member(_ name: StaticString, _ text: String) {
    self.name(name)
    bytes.append(jsonText: text)
  }

  mutating func member(_ name: StaticString, _ text: String?) {
    if let text { member(name, text) }
  }

  mutating func member(_ key: Facts.Key, _ text: String) {
    name(key)
    bytes.append(jsonText: text)
  }

  mutating func member(_ key: Facts.Key, _ truth: Bool) {
    name(key)
    bytes.append(contentsOf: (truth ? "true" : "false").utf8)
  }

  mutating func member(_ key: Facts.Key, number: Int64) {
    name(key)
    self.number(number)
  }

  mutating func member(_ name: StaticString, _ truth: Bool) {
    self.name(name)
    bytes.append(contentsOf: (truth ? "true" : "false").utf8)
  }

  mutating func member(_ name: StaticString, number: some BinaryInteger) {
    self.name(name)
    self.number(number)
  }

  mutating func list<Element>(
    _ name: StaticString, _ elements: [Element], _ write: (inout JSONObjectWriter, Element) -> Void
  ) {
    self.name(name)
    enclosed(UInt8(ascii: "["), UInt8(ascii: "]")) { line in
      for element in elements {
        line.separate()
        write(&line, element)
      }
    }
  }

  mutating func text(_ text: String) { bytes.append(jsonText: text) }

  /// Writes a value that other code has encoded.
  mutating func member(_ name: StaticString, written value: [UInt8]) {
    self.name(name)
    bytes.append(contentsOf: value)
  }

  private mutating func enclosed(
    _ opening: UInt8, _ closing: UInt8, _ write: (inout JSONObjectWriter) throws -> Void
  ) rethrows {
    bytes.append(opening)
    isFirst = true
    try write(&self)
    bytes.append(closing)
    isFirst = false
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  private mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func name(_ key: Facts.Key) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: key.rawValue.utf8)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func number(_ number: some BinaryInteger) {
    var rest = UInt64(truncatingIfNeeded: number.magnitude)
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    // 2^64 has twenty digits.
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var count = 0
    repeat {
      digits[count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      count += 1
    } while rest > 0
    while count > 0 {
      count -= 1
      bytes.append(digits[count])
    }
  }
}
