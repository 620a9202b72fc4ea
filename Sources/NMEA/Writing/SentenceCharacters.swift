import FobBase

/// The characters of a sentence being written, with its checksum so far.
struct SentenceCharacters: Sendable {
  /// `$`, 120 characters as ``SentenceReader`` takes them, `*`, checksum, CR and LF.
  private var bytes = InlineArray<126, UInt8>(repeating: 0)
  private(set) var count = 0
  private var checksum: UInt8 = 0

  mutating func begin(_ talker: Talker, _ type: SentenceType) {
    bytes[0] = UInt8(ascii: "$")
    count = 1
    checksum = 0
    append(talker.first)
    append(talker.second)
    append(UInt8(truncatingIfNeeded: type.rawValue >> 16))
    append(UInt8(truncatingIfNeeded: type.rawValue >> 8))
    append(UInt8(truncatingIfNeeded: type.rawValue))
  }

  mutating func end() {
    let sum = checksum
    append(UInt8(ascii: "*"))
    append(Hex.capital(sum >> 4))
    append(Hex.capital(sum & 15))
    append(UInt8(ascii: "\r"))
    append(UInt8(ascii: "\n"))
  }

  func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try body(bytes.span.extracting(first: count))
  }

  mutating func append(_ character: UInt8) {
    bytes[count] = character
    count += 1
    checksum ^= character
  }

  /// An empty field.
  mutating func empty() { append(UInt8(ascii: ",")) }

  mutating func field(_ letter: UInt8?) {
    append(UInt8(ascii: ","))
    if let letter { append(letter) }
  }

  /// At least `width` digits; an empty field for nil.
  mutating func field(_ number: UInt32?, width: Int) {
    append(UInt8(ascii: ","))
    if let number { digits(number, width: width) }
  }

  /// A number in units of 10^-`places`, with all its decimals; an empty field for nil.
  mutating func field(_ number: UInt32?, places: Int) {
    append(UInt8(ascii: ","))
    if let number { decimal(number, places: places) }
  }

  /// As above, with a sign where it is negative. Nine digits at most, as they are read.
  mutating func field(_ number: Int32?, places: Int) {
    append(UInt8(ascii: ","))
    guard let number else { return }
    if number < 0 { append(UInt8(ascii: "-")) }
    decimal(number.magnitude, places: places)
  }

  mutating func digits(_ number: UInt32, width: Int) {
    var divisor: UInt32 = 1
    var written = 1
    while written < width || number / divisor >= 10 {
      divisor *= 10
      written += 1
    }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func decimal(_ number: UInt32, places: Int) {
    var unit: UInt32 = 1
    for _ in 0..<places { unit *= 10 }
    let (whole, fraction) = min(number, 999_999_999).quotientAndRemainder(dividingBy: unit)
    digits(whole, width: 1)
    guard places > 0 else { return }
    append(UInt8(ascii: "."))
    digits(fraction, width: places)
  }
}
