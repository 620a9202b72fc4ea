/// A place on the globe (WGS 84).
public struct Coordinates: Hashable, Sendable {
  /// In 1e-7 degree, north positive, -900000000 to 900000000, rounded half away from zero.
  public let latitude: Int32
  /// In 1e-7 degree, east positive, -1800000000 to 1800000000.
  public let longitude: Int32

  /// Nil beyond 90 degrees of latitude or 180 of longitude.
  public init?(latitude: Int32, longitude: Int32) {
    guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
  }

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
    guard let field = try fields.fixed(digits: degreeDigits + 2, places: 7, in: sentence) else {
      throw .missing
    }
    let (degrees, minutes) = field.whole.quotientAndRemainder(dividingBy: 100)
    guard degrees <= limit, minutes < 60 else { throw .outOfRange }
    // Below 2^32. Cutting the eighth decimal cannot change how a half is rounded, because 30 of 60
    // is a whole number.
    let tenMillionths = minutes * 10_000_000 + field.fraction
    let value = degrees * 10_000_000 + (tenMillionths + 30) / 60
    guard value <= limit * 10_000_000 else { throw .outOfRange }
    switch try fields.letter(in: sentence) {
    case positive: return Int32(value)
    case negative: return -Int32(value)
    default: throw .malformed
    }
  }
}
