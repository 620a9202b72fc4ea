public import FobBase

/// A position that a GPS receiver stated.
public struct GPSFix: Sendable, Equatable {
  /// `none` when the signal was lost after this position: then it is the last known place, and
  /// everything else still speaks of that place.
  public var quality: GPSQuality
  /// In 1e-7 degree (WGS 84), north positive, -900000000 to 900000000, rounded half away from zero.
  public var latitude: Int32
  /// In 1e-7 degree (WGS 84), east positive, -1800000000 to 1800000000.
  public var longitude: Int32
  /// In centimetres above mean sea level; 0 as long as no GGA stated it.
  public var altitude: Int32
  /// Horizontal distance in decimetres that the position is off, as root mean square: HDOP times
  /// an assumed user equivalent range error of 5 m. `unknownAccuracy` where no HDOP is known.
  public var accuracy: UInt16
  /// Satellites used; 0 also where unknown.
  public var satellites: UInt8
  /// When the receiver measured it, in whole seconds since 1970-01-01; 0 where unknown.
  ///
  /// This is the receiver's word. One whose GPS week number has rolled over is 1024 weeks behind
  /// and cannot be told from an old recording by the sentence alone, so nothing is mended here:
  /// judge it where the date is known. Only years that no receiver states in earnest are unknown
  /// (1980 to 1999, week 0 of the GPS calendar).
  public var utc: UInt32
  /// When it was read, on the reader's own clock.
  public var at: Instant

  public init(
    quality: GPSQuality, latitude: Int32, longitude: Int32, altitude: Int32, accuracy: UInt16,
    satellites: UInt8, utc: UInt32, at: Instant
  ) {
    self.quality = quality
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.accuracy = accuracy
    self.satellites = satellites
    self.utc = utc
    self.at = at
  }

  public static let unknownAccuracy: UInt16 = 0xFFFF

  /// User equivalent range error in decimetres, one sigma: an assumption for a receiver of one
  /// frequency under open sky.
  static let rangeError: Int32 = 50
}
