/// GNSS Fix Data: what GGA says, for several satellite systems together.
public struct GNS: Sendable, Equatable {
  /// Which system, or systems, the sentence speaks for.
  public var talker: Talker
  /// Nil when no system has a fix; the other fields are not read then.
  public var fix: Fix?

  /// Each number is nil where not stated.
  public struct Fix: Sendable, Equatable {
    /// One for each system: GPS, GLONASS, Galileo, BeiDou, QZSS, NavIC, as far as stated. At least
    /// one is not `invalid`.
    public var kinds: FixedList<6, FixKind>
    /// In milliseconds of the UTC day; nil where not stated.
    public var time: UInt32?
    /// Latitude and longitude; both are always stated with a fix.
    public var coordinates: Coordinates
    /// Satellites used, of all systems; 255 stands for 255 and more.
    public var satellites: UInt8?
    /// Horizontal dilution of precision in hundredths, at most 65535. Receivers write 0 or 99.99
    /// where they know none.
    public var hdop: UInt16?
    /// In centimetres above mean sea level.
    public var altitude: Int32?
    /// Of the geoid (mean sea level) above the ellipsoid, in centimetres.
    public var geoidSeparation: Int32?

    /// The kind of the first system that has a fix.
    public var kind: FixKind { GNS.kind(of: kinds) }

    /// - Parameters:
    ///   - kinds: made of `GNS.noKinds`, with at least one that is not `invalid`.
    ///   - time: in milliseconds of the UTC day; nil where not stated.
    ///   - coordinates: latitude and longitude, which a fix always states.
    ///   - satellites: how many are used, of all systems; nil where not stated.
    ///   - hdop: horizontal dilution of precision in hundredths; nil where not stated.
    ///   - altitude: in centimetres above mean sea level; nil where not stated.
    ///   - geoidSeparation: of the geoid above the ellipsoid, in centimetres; nil where not stated.
    public init(
      kinds: FixedList<6, FixKind>, time: UInt32?, coordinates: Coordinates, satellites: UInt8?,
      hdop: UInt16?, altitude: Int32?, geoidSeparation: Int32?
    ) {
      self.kinds = kinds
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

  /// An empty list, to which the kinds of a fix are appended.
  public static var noKinds: FixedList<6, FixKind> { FixedList(filler: .invalid) }

  /// - Parameter fields: stands behind the address field.
  init(talker: Talker, _ fields: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    var ahead = fields
    ahead.skip(5, in: sentence)
    let field = ahead.next(in: sentence)
    guard !field.isEmpty else { throw .missing }
    var kinds = Self.noKinds
    for at in field {
      guard kinds.append(try FixKind(letter: sentence[at])) else { throw .malformed }
    }
    self.talker = talker
    fix =
      Self.kind(of: kinds) == .invalid
      ? nil : try Fix(kinds, fields, behindKinds: ahead, in: sentence)
  }

  fileprivate static func kind(of kinds: FixedList<6, FixKind>) -> FixKind {
    for index in 0..<kinds.count where kinds[index] != .invalid { return kinds[index] }
    return .invalid
  }
}

extension GNS.Fix {
  fileprivate init(
    _ kinds: FixedList<6, FixKind>, _ start: FieldCursor, behindKinds: FieldCursor,
    in sentence: Span<UInt8>
  ) throws(FieldError) {
    var fields = start
    self.kinds = kinds
    time = try UTC.time(&fields, in: sentence)
    coordinates = try Coordinates(&fields, in: sentence)
    fields = behindKinds
    satellites = try fields.number(in: sentence).map { UInt8(clamping: $0) }
    hdop = try fields.unsigned(places: 2, in: sentence).map { UInt16(clamping: $0) }
    altitude = try fields.signed(places: 2, in: sentence)
    geoidSeparation = try fields.signed(places: 2, in: sentence)
  }
}
