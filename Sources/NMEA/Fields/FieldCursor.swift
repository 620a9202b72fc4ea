/// Walks over the comma-separated fields of one sentence. It holds no bytes: each step is given the
/// sentence, so that nothing is copied and nothing outlives the reader's buffer. `start` only
/// grows, from 0 on. Each place is compared with the end of the sentence before its character is
/// read, so that reading needs no check of its own.
struct FieldCursor {
  /// Where the next field begins.
  private(set) var start: Int

  private static let comma = UInt8(ascii: ",")

  /// Whether the last field is passed. Every further field is empty: older receivers leave fields
  /// off.
  func isAtEnd(of sentence: Span<UInt8>) -> Bool { start > sentence.count }

  /// The place of the next field.
  mutating func next(in sentence: Span<UInt8>) -> Range<Int> {
    let first = min(start, sentence.count)
    var end = first
    while end < sentence.count, sentence[unchecked: end] != Self.comma { end &+= 1 }
    start = end &+ 1
    return first..<end
  }

  mutating func skip(_ n: Int, in sentence: Span<UInt8>) {
    for _ in 0..<n { _ = next(in: sentence) }
  }

  /// The next field, which must be one character; nil where it is empty.
  mutating func optionalLetter(in sentence: Span<UInt8>) throws(FieldError) -> UInt8? {
    guard !isEmpty(in: sentence) else { return nil }
    let letter = sentence[unchecked: start]
    try finish(at: start &+ 1, in: sentence)
    return letter
  }

  mutating func letter(in sentence: Span<UInt8>) throws(FieldError) -> UInt8 {
    guard let letter = try optionalLetter(in: sentence) else { throw .missing }
    return letter
  }

  /// The digits of the next field, at most eight, as a number; nil where it is empty.
  mutating func number(in sentence: Span<UInt8>) throws(FieldError) -> UInt32? {
    #if !hasFeature(Embedded)
      if let value = fewDigits(in: sentence) { return value }
    #endif
    guard let (value, end) = try whole(in: sentence, digits: 8) else { return nil }
    try finish(at: end, in: sentence)
    return value
  }

  /// The digits of the next field before any point, at most eight; nil where it is empty.
  @inline(__always)
  mutating func wholeNumber(in sentence: Span<UInt8>) throws(FieldError) -> UInt32? {
    #if !hasFeature(Embedded)
      if let value = fewDigits(in: sentence) { return value }
    #endif
    guard let (value, end) = try whole(in: sentence, digits: 8) else { return nil }
    if end >= sentence.count || sentence[unchecked: end] == Self.comma {
      start = end &+ 1
      return value
    }
    return try unsigned(places: 0, in: sentence)
  }

  #if !hasFeature(Embedded)
    /// Reads one to three digits and the comma behind them, which nearly all whole numbers are. For
    /// anything else it gives nil and passes nothing.
    @inline(__always)
    private mutating func fewDigits(in sentence: Span<UInt8>) -> UInt32? {
      guard start &+ 4 <= sentence.count else { return nil }
      var value: UInt32 = 0
      for count in 0..<4 {
        let character = sentence[unchecked: start &+ count]
        let digit = UInt32(character) &- UInt32(UInt8(ascii: "0"))
        guard digit <= 9 else {
          guard count > 0, character == Self.comma else { return nil }
          start &+= count &+ 1
          return value
        }
        value = value &* 10 &+ digit
      }
      return nil
    }
  #endif

  /// The next field, a number without a sign, in units of 10^-`places`; further decimals are cut.
  /// Nil where it is empty; out of range where more than 9 - `places` digits stand before the
  /// point.
  mutating func unsigned(places: Int, in sentence: Span<UInt8>) throws(FieldError) -> UInt32? {
    guard let (whole, point) = try whole(in: sentence, digits: 9 - places) else { return nil }
    var at = point
    let value = Self.decimals(places, behind: whole, &at, in: sentence)
    try finish(at: at, in: sentence)
    return value
  }

  /// Like `unsigned`, with a minus sign or without.
  mutating func signed(places: Int, in sentence: Span<UInt8>) throws(FieldError) -> Int32? {
    let isNegative = passMinus(in: sentence)
    let value = try unsigned(places: places, in: sentence)
    guard isNegative else { return value.map { Int32($0) } }
    guard let value else { throw .malformed }
    return -Int32(value)
  }

  /// Whether the next field begins with a minus sign, which is passed.
  mutating func passMinus(in sentence: Span<UInt8>) -> Bool {
    guard start < sentence.count, sentence[unchecked: start] == UInt8(ascii: "-") else {
      return false
    }
    start &+= 1
    return true
  }

  /// Reads a field of exactly `digits` digits (at most seven). Behind a point any number of digits
  /// may follow: the first `places` of them are the fraction, filled up with zeros. Nil where the
  /// field is empty.
  mutating func fixed(
    digits: Int, places: Int, in sentence: Span<UInt8>
  ) throws(FieldError) -> (whole: UInt32, fraction: UInt32)? {
    guard !isEmpty(in: sentence) else { return nil }
    var at = start
    let whole = Self.digits(&at, in: sentence)
    guard at &- start == digits else { throw .malformed }
    let fraction = Self.decimals(places, behind: 0, &at, in: sentence)
    try finish(at: at, in: sentence)
    return (whole, fraction)
  }

  /// Reads the digits from `at` on as a number, and passes them. More than nine make a number
  /// without meaning.
  @inline(__always)
  private static func digits(_ at: inout Int, in sentence: Span<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    while at < sentence.count {
      let digit = UInt32(sentence[unchecked: at]) &- UInt32(UInt8(ascii: "0"))
      guard digit <= 9 else { break }
      value = value &* 10 &+ digit
      at &+= 1
    }
    return value
  }

  /// Adds to `whole` the decimals behind a point at `at`, if there is one, and passes them. The
  /// result is in units of 10^-`places`; decimals are cut or filled up with zeros.
  #if hasFeature(Embedded)
    @inline(never)
  #endif
  private static func decimals(
    _ places: Int, behind whole: UInt32, _ at: inout Int, in sentence: Span<UInt8>
  ) -> UInt32 {
    var value = whole
    var missing = places
    if at < sentence.count, sentence[unchecked: at] == UInt8(ascii: ".") {
      at &+= 1
      while at < sentence.count {
        let digit = UInt32(sentence[unchecked: at]) &- UInt32(UInt8(ascii: "0"))
        guard digit <= 9 else { break }
        if missing > 0 {
          value = value &* 10 &+ digit
          missing &-= 1
        }
        at &+= 1
      }
    }
    while missing > 0 {
      value = value &* 10
      missing &-= 1
    }
    return value
  }

  /// Whether the next field is empty; if so, it is passed.
  @inline(__always)
  private mutating func isEmpty(in sentence: Span<UInt8>) -> Bool {
    guard start >= sentence.count || sentence[unchecked: start] == Self.comma else { return false }
    start &+= 1
    return true
  }

  /// The digits at the beginning of the field, and where they end; nil where it is empty.
  @inline(__always)
  private mutating func whole(
    in sentence: Span<UInt8>, digits: Int
  ) throws(FieldError) -> (value: UInt32, end: Int)? {
    var at = start
    let value = Self.digits(&at, in: sentence)
    guard at > start else {
      guard isEmpty(in: sentence) else { throw .malformed }
      return nil
    }
    guard at &- start <= digits else { throw .outOfRange }
    return (value, at)
  }

  @inline(__always)
  private mutating func finish(at end: Int, in sentence: Span<UInt8>) throws(FieldError) {
    guard end >= sentence.count || sentence[unchecked: end] == Self.comma else { throw .malformed }
    start = end &+ 1
  }
}

/// Why a sentence with a right checksum is not believed.
public enum FieldError: Error, Equatable {
  /// A field that the rest of the sentence calls for is empty.
  case missing
  /// A field holds other characters, or another number of them, than its format says.
  case malformed
  /// Latitude past 90°, 60 minutes, day 32.
  case outOfRange
}
