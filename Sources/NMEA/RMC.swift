/// Recommended Minimum Specific GNSS Data: position and the only date.
struct RMC {
  /// Nil for status V (navigation receiver warning): date and coordinates of such a sentence may be
  /// left over from any time and are not read.
  let fix: Fix?

  struct Fix {
    let secondOfDay: UInt32?
    let day: UInt32?
    let coordinates: Coordinates
  }

  /// - Parameter start: stands behind the address field.
  init(_ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    var fields = start
    let time = fields.next(in: sentence)
    switch try fields.letter(in: sentence) {
    case UInt8(ascii: "V"):
      fix = nil
    case UInt8(ascii: "A"):
      let secondOfDay = try UTC.secondOfDay(time, in: sentence)
      let coordinates = try Coordinates(&fields, in: sentence)
      fields.skip(2, in: sentence)
      let day = try UTC.day(fields.next(in: sentence), in: sentence)
      fix = Fix(secondOfDay: secondOfDay, day: day, coordinates: coordinates)
    default:
      throw .malformed
    }
  }
}
