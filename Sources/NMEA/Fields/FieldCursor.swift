/// Walks over the comma-separated fields of one sentence. It holds no bytes: each step is given the
/// sentence, so that nothing is copied and nothing outlives the reader's buffer.
struct FieldCursor {
  private(set) var start: Int

  /// - Parameter start: where the first field begins.
  init(start: Int) { self.start = start }

  private static let comma = UInt8(ascii: ",")

  /// Past the last field, every further one is empty: older receivers leave fields off.
  func isAtEnd(of sentence: Span<UInt8>) -> Bool { start > sentence.count }

  /// The place of the next field.
  mutating func next(in sentence: Span<UInt8>) -> Range<Int> {
    let first = min(start, sentence.count)
    var end = first
    while end < sentence.count, sentence[end] != Self.comma { end += 1 }
    start = end + 1
    return first..<end
  }

  mutating func skip(_ n: Int, in sentence: Span<UInt8>) {
    for _ in 0..<n { _ = next(in: sentence) }
  }

  /// The next field, which must be one character; nil where it is empty.
  mutating func optionalLetter(in sentence: Span<UInt8>) throws(FieldError) -> UInt8? {
    guard start < sentence.count, sentence[start] != Self.comma else {
      start += 1
      return nil
    }
    let letter = sentence[start]
    try finish(at: start + 1, in: sentence)
    return letter
  }

  mutating func letter(in sentence: Span<UInt8>) throws(FieldError) -> UInt8 {
    guard let letter = try optionalLetter(in: sentence) else { throw .missing }
    return letter
  }

  /// The digits of the next field as a number below 10^9; nil where it is empty.
  mutating func number(in sentence: Span<UInt8>) throws(FieldError) -> UInt32? {
    guard let (value, end) = try whole(in: sentence, digits: 9) else { return nil }
    try finish(at: end, in: sentence)
    return value
  }

  /// The next field, a number without a sign, in units of 10^-`places`; further decimals are cut.
  /// Nil where it is empty, out of range from 10^(9 - `places`).
  mutating func unsigned(places: Int, in sentence: Span<UInt8>) throws(FieldError) -> UInt32? {
    guard let (value, end) = try whole(in: sentence, digits: 9 - places) else { return nil }
    return try fraction(of: value, from: end, places: places, in: sentence)
  }

  /// As `unsigned`, with a minus sign where there is one.
  mutating func signed(places: Int, in sentence: Span<UInt8>) throws(FieldError) -> Int32? {
    guard start < sentence.count, sentence[start] == UInt8(ascii: "-") else {
      return try unsigned(places: places, in: sentence).map { Int32($0) }
    }
    start += 1
    guard let value = try unsigned(places: places, in: sentence) else { throw .malformed }
    return -Int32(value)
  }

  /// A field of exactly `digits` digits, and behind a point any number more, of which `places` are
  /// taken or filled up with zeros. Nil where it is empty.
  mutating func fixed(
    digits: Int, places: Int, in sentence: Span<UInt8>
  ) throws(FieldError) -> (whole: UInt32, fraction: UInt32)? {
    let first = start
    guard let (whole, end) = try whole(in: sentence, digits: digits) else { return nil }
    guard end - first == digits else { throw .malformed }
    return (whole, try fraction(of: 0, from: end, places: places, in: sentence))
  }

  /// The digits that the field begins with, and where they end.
  private mutating func whole(
    in sentence: Span<UInt8>, digits: Int
  ) throws(FieldError) -> (value: UInt32, end: Int)? {
    guard start < sentence.count, sentence[start] != Self.comma else {
      start += 1
      return nil
    }
    var at = start
    var value: UInt32 = 0
    while at < sentence.count {
      let digit = sentence[at] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      guard at - start < digits else { throw .outOfRange }
      value = value &* 10 &+ UInt32(digit)
      at += 1
    }
    guard at > start else { throw .malformed }
    return (value, at)
  }

  private mutating func fraction(
    of whole: UInt32, from end: Int, places: Int, in sentence: Span<UInt8>
  ) throws(FieldError) -> UInt32 {
    var value = whole
    var missing = places
    var at = end
    if at < sentence.count, sentence[at] == UInt8(ascii: ".") {
      at += 1
      while at < sentence.count {
        let digit = sentence[at] &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        if missing > 0 {
          value = value &* 10 &+ UInt32(digit)
          missing -= 1
        }
        at += 1
      }
    }
    while missing > 0 {
      value = value &* 10
      missing -= 1
    }
    try finish(at: at, in: sentence)
    return value
  }

  private mutating func finish(at end: Int, in sentence: Span<UInt8>) throws(FieldError) {
    guard end == sentence.count || sentence[end] == Self.comma else { throw .malformed }
    start = end + 1
  }
}
