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
