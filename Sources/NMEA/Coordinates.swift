/// Latitude and longitude in 1e-7 degree, north and east positive.
struct Coordinates {
  let latitude: Int32
  let longitude: Int32

  /// Reads the four fields `ddmm.mmmm,N,dddmm.mmmm,E`, with any number of decimals.
  init(_ fields: inout FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    latitude = try Self.angle(
      &fields, in: sentence, degreeDigits: 2, limit: 90,
      positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"))
    longitude = try Self.angle(
      &fields, in: sentence, degreeDigits: 3, limit: 180,
      positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"))
  }

  private static func angle(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>, degreeDigits: Int, limit: UInt32,
    positive: UInt8, negative: UInt8
  ) throws(FieldError) -> Int32 {
    let field = fields.next(in: sentence)
    guard !field.isEmpty else { throw .missing }
    let parts = sentence.split(field)
    guard parts.whole.count == degreeDigits + 2 else { throw .malformed }
    let whole = try sentence.number(parts.whole)
    let (degrees, minutes) = whole.quotientAndRemainder(dividingBy: 100)
    // Below 2^32, and cutting the eighth decimal cannot move a half: 30 of 60 is a whole number.
    let tenMillionths = minutes * 10_000_000 + (try sentence.fraction(parts.fraction, places: 7))
    guard degrees <= limit, minutes < 60 else { throw .outOfRange }
    let value = degrees * 10_000_000 + (tenMillionths + 30) / 60
    guard value <= limit * 10_000_000 else { throw .outOfRange }
    switch try fields.letter(in: sentence) {
    case positive: return Int32(value)
    case negative: return -Int32(value)
    default: throw .malformed
    }
  }
}
