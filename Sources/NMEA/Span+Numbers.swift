/// Numbers as NMEA 0183 writes them, in 32-bit integers: the device has neither floating point nor
/// 64-bit division.
extension Span<UInt8> {
  /// The digits of `field` as a number below 10^9. Any other character is malformed.
  func number(_ field: Range<Int>) throws(FieldError) -> UInt32 {
    guard !field.isEmpty else { throw .missing }
    guard field.count <= 9 else { throw .outOfRange }
    return try fraction(field, places: field.count)
  }

  /// The digits of `field` as a fraction, cut or filled up with zeros to `places` (at most 9).
  func fraction(_ field: Range<Int>, places: Int) throws(FieldError) -> UInt32 {
    var value: UInt32 = 0
    var taken = 0
    for at in field {
      let digit = self[at] &- UInt8(ascii: "0")
      guard digit <= 9 else { throw .malformed }
      if taken < places {
        value = value * 10 + UInt32(digit)
        taken += 1
      }
    }
    while taken < places {
      value *= 10
      taken += 1
    }
    return value
  }

  /// `field` with its sign, in hundredths; further decimals are cut.
  func hundredths(_ field: Range<Int>) throws(FieldError) -> Int32 {
    guard !field.isEmpty else { throw .missing }
    let isNegative = self[field.lowerBound] == UInt8(ascii: "-")
    let parts = split(isNegative ? field.lowerBound + 1..<field.upperBound : field)
    let whole = try number(parts.whole)
    guard whole < 10_000_000 else { throw .outOfRange }
    let value = Int32(whole * 100 + (try fraction(parts.fraction, places: 2)))
    return isNegative ? -value : value
  }

  /// What stands before and after the first point of `field`.
  func split(_ field: Range<Int>) -> (whole: Range<Int>, fraction: Range<Int>) {
    var point = field.lowerBound
    while point < field.upperBound, self[point] != UInt8(ascii: ".") { point += 1 }
    return (field.lowerBound..<point, Swift.min(point + 1, field.upperBound)..<field.upperBound)
  }
}
