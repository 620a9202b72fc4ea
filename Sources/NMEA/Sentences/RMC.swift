/// Recommended Minimum Specific GNSS Data: position, motion and the date.
public struct RMC: Sendable, Equatable {
  /// Which system, or systems, the sentence speaks for.
  public var talker: Talker
  /// Nil for status V (navigation receiver warning) and mode N. Date and coordinates of such a
  /// sentence may be of any earlier time and are not read.
  public var fix: Fix?

  /// Each number is nil where not stated.
  public struct Fix: Sendable, Equatable {
    /// In milliseconds of the UTC day; nil where not stated.
    public var time: UInt32?
    /// In days since 1970-01-01, 2000 to 2079; nil where not stated, and for the years 80 to 99,
    /// which receivers state that know no date. A receiver whose week number has rolled over is
    /// 1024 weeks behind.
    public var day: UInt32?
    /// Latitude and longitude; both are always stated with a fix.
    public var coordinates: Coordinates
    /// Over ground, in thousandths of a knot.
    public var speed: UInt32?
    /// Over ground, in hundredths of a degree from true north, clockwise, 0 to 36000.
    public var course: UInt32?
    /// In hundredths of a degree, east positive.
    public var magneticVariation: Int32?
    /// Nil where not stated, as before NMEA 2.3.
    public var kind: FixKind?

    /// - Parameters:
    ///   - time: in milliseconds of the UTC day; nil where not stated.
    ///   - day: in days since 1970-01-01; nil where not stated.
    ///   - coordinates: latitude and longitude, which a fix always states.
    ///   - speed: over ground, in thousandths of a knot; nil where not stated.
    ///   - course: over ground, in hundredths of a degree from true north; nil where not stated.
    ///   - magneticVariation: in hundredths of a degree, east positive; nil where not stated.
    ///   - kind: not `invalid`: that is a sentence without a fix. Nil where not stated.
    public init(
      time: UInt32?, day: UInt32?, coordinates: Coordinates, speed: UInt32?, course: UInt32?,
      magneticVariation: Int32?, kind: FixKind?
    ) {
      self.time = time
      self.day = day
      self.coordinates = coordinates
      self.speed = speed
      self.course = course
      self.magneticVariation = magneticVariation
      self.kind = kind
    }
  }

  /// Without a `fix` it is a sentence with status V.
  public init(talker: Talker, fix: Fix?) {
    self.talker = talker
    self.fix = fix
  }

  /// - Parameter fields: stands behind the address field.
  init(talker: Talker, _ fields: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    self.talker = talker
    do throws(FieldError) {
      fix = try Fix(fields, in: sentence)
    } catch {
      var ahead = fields
      ahead.skip(1, in: sentence)
      guard try ahead.letter(in: sentence) == UInt8(ascii: "V") else { throw error }
      fix = nil
    }
  }
}

extension RMC.Fix {
  fileprivate init?(_ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    var fields = start
    time = try UTC.time(&fields, in: sentence)
    switch try fields.letter(in: sentence) {
    case UInt8(ascii: "A"): break
    case UInt8(ascii: "V"): return nil
    default: throw .malformed
    }
    coordinates = try Coordinates(&fields, in: sentence)
    speed = try fields.unsigned(places: 3, in: sentence)
    course = try fields.course(in: sentence)
    day = try UTC.date(&fields, in: sentence)
    let variation = try fields.unsigned(places: 2, in: sentence)
    switch (variation, try fields.optionalLetter(in: sentence)) {
    case (nil, _), (_, nil): magneticVariation = nil
    case (let value?, UInt8(ascii: "E")): magneticVariation = Int32(value)
    case (let value?, UInt8(ascii: "W")): magneticVariation = -Int32(value)
    default: throw .malformed
    }
    kind = try FixKind(&fields, in: sentence)
    if kind == .invalid { return nil }
  }
}

extension FieldCursor {
  /// A direction in hundredths of a degree, 0 to 36000.
  mutating func course(in sentence: Span<UInt8>) throws(FieldError) -> UInt32? {
    let value = try unsigned(places: 2, in: sentence)
    if let value, value > 360_00 { throw .outOfRange }
    return value
  }
}
