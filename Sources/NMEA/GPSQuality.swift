/// How far the position can be relied on (R32).
///
/// - `good`: a measured fix (GGA quality 1 to 5) with an HDOP of at most 5 and at least 4
///   satellites.
/// - `weak`: any other position: fewer satellites, a higher or unknown HDOP, dead reckoning (6),
///   manual (7), simulator (8), or a receiver that sends RMC alone, which states neither.
/// - `none`: the receiver says that it has no fix, or gave no position for more than 5 s.
public enum GPSQuality: UInt8, Sendable, Comparable {
  case none = 0
  case weak = 1
  case good = 2

  public static func < (a: GPSQuality, b: GPSQuality) -> Bool { a.rawValue < b.rawValue }

  /// In hundredths.
  static let greatestGoodHDOP: Int32 = 5_00
}
