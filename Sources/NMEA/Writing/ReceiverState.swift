/// Where a receiver is at one moment, how it moves, and how well it hears: what an emulated
/// receiver makes its sentences of.
public struct ReceiverState: Sendable, Equatable {
  public var coordinates: Coordinates
  /// In centimetres above mean sea level.
  public var altitude: Int32 = 0
  /// Of the geoid (mean sea level) above the ellipsoid, in centimetres.
  public var geoidSeparation: Int32 = 0
  /// Over ground, in thousandths of a knot.
  public var speed: UInt32 = 0
  /// Over ground, in hundredths of a degree from true north, clockwise, 0 to 35999.
  public var course: UInt32 = 0
  /// In days since 1970-01-01, 2000 to 2079.
  public var day: UInt32
  /// In milliseconds of the day.
  public var time: UInt32
  /// Satellites used.
  public var satellites: UInt8 = 8
  /// Horizontal dilution of precision in hundredths.
  public var hdop: UInt16 = 90
  /// `invalid` makes sentences that state no fix.
  public var kind = FixKind.autonomous

  /// A good fix that stands still at sea level; set what is otherwise.
  /// - Parameter utc: seconds since 1970-01-01, from 2000 on.
  public init(_ coordinates: Coordinates, utc: UInt32) {
    self.coordinates = coordinates
    day = utc / UTC.secondsPerDay
    time = utc % UTC.secondsPerDay * 1_000
  }

  /// Two dimensions with fewer than four satellites; no altitude is stated then.
  public var mode: FixMode {
    if kind == .invalid { return .noFix }
    return satellites >= 4 ? .threeDimensional : .twoDimensional
  }

  var statedAltitude: Int32? { mode == .threeDimensional ? altitude : nil }
}
