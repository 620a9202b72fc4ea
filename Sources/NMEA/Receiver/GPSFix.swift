public import FobBase

/// A position that a GPS receiver stated.
public struct GPSFix: Sendable, Equatable {
  /// `none` when the signal was lost after this position. It is then the last known place, and all
  /// other properties still describe it.
  public var quality: GPSQuality
  /// How many dimensions were known of that place: three where a GSA says so, or a GGA or GNS
  /// states an altitude and four satellites; else two. `noFix` together with the quality `none`.
  public var mode: FixMode
  /// In 1e-7 degree (WGS 84), north positive, -900000000 to 900000000, rounded half away from zero.
  public var latitude: Int32
  /// In 1e-7 degree (WGS 84), east positive, -1800000000 to 1800000000.
  public var longitude: Int32
  /// In centimetres above mean sea level; 0 as long as no GGA or GNS stated it.
  public var altitude: Int32
  /// Horizontal distance in decimetres that the position is off, as root mean square: HDOP times
  /// an assumed user equivalent range error of 5 m. `unknownAccuracy` where no HDOP is known.
  public var accuracy: UInt16
  /// Satellites used; 0 also where unknown.
  public var satellites: UInt8
  /// When the receiver measured it, in whole seconds since 1970-01-01; 0 where unknown.
  ///
  /// This is what the receiver states. One whose GPS week number has rolled over is 1024 weeks
  /// behind. The sentence alone does not tell it from an old recording, so nothing is corrected
  /// here: judge it where the date is known. Only years that receivers state when they know no date
  /// count as unknown (1980 to 1999, week 0 of the GPS calendar).
  public var utc: UInt32
  /// When it was read, on the reader's own clock.
  public var at: Instant

  /// All properties as they are: nothing is checked.
  public init(
    quality: GPSQuality, mode: FixMode, latitude: Int32, longitude: Int32, altitude: Int32,
    accuracy: UInt16, satellites: UInt8, utc: UInt32, at: Instant
  ) {
    self.quality = quality
    self.mode = mode
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.accuracy = accuracy
    self.satellites = satellites
    self.utc = utc
    self.at = at
  }

  /// How long ago it was read; zero for a clock that was set back.
  ///
  /// No alarm waits for a newer fix: it tells the last place with its age.
  /// ``GPSReceiver/quality(at:)`` says `none` once the age has passed ``GPSReceiver/silence``.
  public func age(at now: Instant) -> Interval { max(.zero, now - at) }

  /// Stands for an unknown `accuracy`, here and on the wire.
  public static let unknownAccuracy: UInt16 = 0xFFFF

  /// User equivalent range error in decimetres, one sigma: an assumption for a receiver of one
  /// frequency under open sky.
  private static let rangeError: UInt32 = 50

  /// - Parameter hdop: in hundredths.
  static func accuracy(hdop: UInt16?) -> UInt16 {
    guard let hdop, GPSQuality.isKnown(hdop: hdop) else { return unknownAccuracy }
    return UInt16(UInt32(hdop) * rangeError / 100)
  }
}

/// How far the position can be relied on (R32).
///
/// - `good`: a measured fix (GGA quality 1 to 5, GNS mode A, D, P, R or F) with an HDOP of at most
///   5 and at least 4 satellites; or, from a receiver that sends neither, an RMC or GLL of such a
///   mode beside a GSA that states three dimensions, that HDOP and those satellites.
/// - `weak`: any other position: fewer satellites, a higher or unknown HDOP, dead reckoning,
///   manual, simulator, or a receiver that sends RMC or GLL alone, which state neither.
/// - `none`: the receiver says that it has no fix, or gave no position for more than 5 s.
public enum GPSQuality: UInt8, Sendable, Comparable {
  case none = 0
  case weak = 1
  case good = 2

  public static func < (a: GPSQuality, b: GPSQuality) -> Bool { a.rawValue < b.rawValue }

  /// In hundredths.
  private static let maxGoodHDOP: UInt16 = 5_00

  /// - Parameter hdop: in hundredths.
  init(isMeasured: Bool, hdop: UInt16?, satellites: UInt8) {
    guard isMeasured, let hdop, Self.isKnown(hdop: hdop) else {
      self = .weak
      return
    }
    self = hdop <= Self.maxGoodHDOP && satellites >= 4 ? .good : .weak
  }

  /// Receivers write 0 or 99.99 where they know no dilution.
  static func isKnown(hdop: UInt16) -> Bool { hdop > 0 && hdop < 99_00 }
}
