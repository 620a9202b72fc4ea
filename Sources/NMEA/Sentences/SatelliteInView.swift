/// Where a satellite stands in the sky and how well it is heard.
public struct SatelliteInView: Sendable, Equatable {
  /// As the talker numbers its satellites: 1 to 32 GPS, 33 to 64 SBAS, 65 to 96 GLONASS…
  public var id: UInt16
  /// In degrees above the horizon, -90 to 90.
  public var elevation: Int8?
  /// In degrees from true north, clockwise, 0 to 360.
  public var azimuth: UInt16?
  /// In dB-Hz, 0 to 99; nil where the satellite is not tracked.
  public var signalStrength: UInt8?

  public init(
    id: UInt16, elevation: Int8? = nil, azimuth: UInt16? = nil, signalStrength: UInt8? = nil
  ) {
    self.id = id
    self.elevation = elevation
    self.azimuth = azimuth
    self.signalStrength = signalStrength
  }

  /// Reads four fields, of which the last must be there; nil where the number of the satellite is
  /// empty.
  init?(_ fields: inout FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    let id = try fields.wholeNumber(in: sentence)
    let isBelow = fields.passMinus(in: sentence)
    let height = try fields.wholeNumber(in: sentence)
    let azimuth = try fields.wholeNumber(in: sentence)
    guard !fields.isAtEnd(of: sentence) else { throw .missing }
    let strength = try fields.wholeNumber(in: sentence)
    guard let id else { return nil }
    guard id <= 999, height ?? 0 <= 90, azimuth ?? 0 <= 360, strength ?? 0 <= 99
    else { throw .outOfRange }
    self.id = UInt16(id)
    elevation = height.map { isBelow ? -Int8($0) : Int8($0) }
    self.azimuth = azimuth.map { UInt16($0) }
    signalStrength = strength.map { UInt8($0) }
  }
}
