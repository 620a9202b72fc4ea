/// Global Positioning System Fix Data: position, quality and how well the satellites stand.
public struct GGA: Sendable, Equatable {
  /// Which system, or systems, the sentence speaks for.
  public var talker: Talker
  /// Nil when the receiver says that it has no fix; the other fields are not read then.
  public var fix: Fix?

  /// Each number is nil where not stated.
  public struct Fix: Sendable, Equatable {
    /// Never `invalid`.
    public var kind: FixKind
    /// In milliseconds of the UTC day; nil where not stated.
    public var time: UInt32?
    /// Latitude and longitude; both are always stated with a fix.
    public var coordinates: Coordinates
    /// Satellites used; 255 stands for 255 and more.
    public var satellites: UInt8?
    /// Horizontal dilution of precision in hundredths, at most 65535. Receivers write 0 or 99.99
    /// where they know none.
    public var hdop: UInt16?
    /// In centimetres above mean sea level.
    public var altitude: Int32?
    /// Of the geoid (mean sea level) above the ellipsoid, in centimetres.
    public var geoidSeparation: Int32?

    /// - Parameters:
    ///   - kind: not `invalid`; a sentence without a fix has none of this type.
    ///   - time: in milliseconds of the UTC day; nil where not stated.
    ///   - coordinates: latitude and longitude, which a fix always states.
    ///   - satellites: how many are used; nil where not stated.
    ///   - hdop: horizontal dilution of precision in hundredths; nil where not stated.
    ///   - altitude: in centimetres above mean sea level; nil where not stated.
    ///   - geoidSeparation: of the geoid above the ellipsoid, in centimetres; nil where not stated.
    public init(
      kind: FixKind, time: UInt32?, coordinates: Coordinates, satellites: UInt8?, hdop: UInt16?,
      altitude: Int32?, geoidSeparation: Int32?
    ) {
      self.kind = kind
      self.time = time
      self.coordinates = coordinates
      self.satellites = satellites
      self.hdop = hdop
      self.altitude = altitude
      self.geoidSeparation = geoidSeparation
    }
  }

  /// Without a `fix` it is a sentence that states none.
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
      // The quality stands behind the coordinates and decides whether they count.
      var ahead = fields
      ahead.skip(5, in: sentence)
      guard try FixKind(digit: ahead.letter(in: sentence)) == .invalid else { throw error }
      fix = nil
    }
  }
}

extension GGA.Fix {
  fileprivate init?(_ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    var fields = start
    time = try UTC.time(&fields, in: sentence)
    coordinates = try Coordinates(&fields, in: sentence)
    kind = try FixKind(digit: fields.letter(in: sentence))
    if kind == .invalid { return nil }
    satellites = try fields.number(in: sentence).map { UInt8(clamping: $0) }
    hdop = try fields.unsigned(places: 2, in: sentence).map { UInt16(clamping: $0) }
    altitude = try fields.signed(places: 2, in: sentence)
    fields.skip(1, in: sentence)
    geoidSeparation = try fields.signed(places: 2, in: sentence)
  }
}
