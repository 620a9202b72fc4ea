/// Geographic Position, Latitude and Longitude: a position and a time.
public struct GLL: Sendable, Equatable {
  /// Which system, or systems, the sentence speaks for.
  public var talker: Talker
  /// Nil for status V and mode N; the other fields are not read then.
  public var fix: Fix?

  /// Where the receiver is, for status A.
  public struct Fix: Sendable, Equatable {
    /// Latitude and longitude; both are always stated with a fix.
    public var coordinates: Coordinates
    /// In milliseconds of the UTC day; nil where not stated.
    public var time: UInt32?
    /// Nil where not stated, as before NMEA 2.3.
    public var kind: FixKind?

    /// - Parameters:
    ///   - coordinates: latitude and longitude, which a fix always states.
    ///   - time: in milliseconds of the UTC day; nil where not stated.
    ///   - kind: not `invalid`: that is a sentence without a fix. Nil where not stated.
    public init(coordinates: Coordinates, time: UInt32?, kind: FixKind?) {
      self.coordinates = coordinates
      self.time = time
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
      ahead.skip(5, in: sentence)
      guard try ahead.letter(in: sentence) == UInt8(ascii: "V") else { throw error }
      fix = nil
    }
  }
}

extension GLL.Fix {
  fileprivate init?(_ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    var fields = start
    coordinates = try Coordinates(&fields, in: sentence)
    time = try UTC.time(&fields, in: sentence)
    switch try fields.letter(in: sentence) {
    case UInt8(ascii: "A"): break
    case UInt8(ascii: "V"): return nil
    default: throw .malformed
    }
    kind = try FixKind(&fields, in: sentence)
    if kind == .invalid { return nil }
  }
}
