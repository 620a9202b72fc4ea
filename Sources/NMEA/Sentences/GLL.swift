/// Geographic Position, Latitude and Longitude: a position and a time.
public struct GLL: Sendable, Equatable {
  public var talker: Talker
  /// Nil for status V and mode N; the other fields are not read then.
  public var fix: Fix?

  public struct Fix: Sendable, Equatable {
    public var coordinates: Coordinates
    /// In milliseconds of the UTC day; nil where not stated.
    public var time: UInt32?
    /// Nil where not stated, as before NMEA 2.3.
    public var kind: FixKind?

    public init(coordinates: Coordinates, time: UInt32?, kind: FixKind?) {
      self.coordinates = coordinates
      self.time = time
      self.kind = kind
    }
  }

  public init(talker: Talker, fix: Fix?) {
    self.talker = talker
    self.fix = fix
  }

  /// - Parameter start: stands behind the address field.
  init(talker: Talker, _ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    self.talker = talker
    var ahead = start
    ahead.skip(5, in: sentence)
    let status = try ahead.letter(in: sentence)
    let kind = try FixKind(&ahead, in: sentence)
    switch status {
    case UInt8(ascii: "V"): fix = nil
    case UInt8(ascii: "A") where kind == .invalid: fix = nil
    case UInt8(ascii: "A"):
      var fields = start
      let coordinates = try Coordinates(&fields, in: sentence)
      let time = try UTC.time(&fields, in: sentence)
      fix = Fix(coordinates: coordinates, time: time, kind: kind)
    default: throw .malformed
    }
  }
}
