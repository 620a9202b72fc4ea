/// Where a receiver is at one moment, how it moves, and how well it hears. An emulated receiver
/// makes its sentences of this.
public struct ReceiverState: Sendable, Equatable {
  /// Stated only while `kind` is not `invalid`.
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

  /// A good fix that stands still at sea level; set the properties that differ. `utc` counts
  /// seconds since 1970-01-01, from 2000 on.
  public init(_ coordinates: Coordinates, utc: UInt32) {
    self.coordinates = coordinates
    day = utc / UTC.secondsPerDay
    time = utc % UTC.secondsPerDay * 1_000
  }

  /// No fix for `invalid`, two dimensions with fewer than four satellites, else three. An altitude
  /// is stated only with three.
  public var mode: FixMode {
    if kind == .invalid { return .noFix }
    return satellites >= 4 ? .threeDimensional : .twoDimensional
  }

  var statedAltitude: Int32? { mode == .threeDimensional ? altitude : nil }
}

extension GGA {
  /// The GGA of a receiver at this point; it states no fix where `kind` is `invalid`.
  public init(_ point: ReceiverState, talker: Talker) {
    self.init(talker: talker, fix: nil)
    guard point.kind != .invalid else { return }
    fix = Fix(
      kind: point.kind, time: point.time, coordinates: point.coordinates,
      satellites: point.satellites, hdop: point.hdop, altitude: point.statedAltitude,
      geoidSeparation: point.geoidSeparation)
  }
}

extension GNS {
  /// The GNS of a receiver of GPS alone; it states no fix where `kind` is `invalid`.
  public init(_ point: ReceiverState, talker: Talker) {
    self.init(talker: talker, fix: nil)
    guard point.kind != .invalid else { return }
    var kinds = Self.noKinds
    kinds.append(point.kind)
    fix = Fix(
      kinds: kinds, time: point.time, coordinates: point.coordinates,
      satellites: point.satellites, hdop: point.hdop, altitude: point.statedAltitude,
      geoidSeparation: point.geoidSeparation)
  }
}

extension RMC {
  /// The RMC of a receiver at this point, without magnetic variation; status V where `kind` is
  /// `invalid`.
  public init(_ point: ReceiverState, talker: Talker) {
    self.init(talker: talker, fix: nil)
    guard point.kind != .invalid else { return }
    fix = Fix(
      time: point.time, day: point.day, coordinates: point.coordinates, speed: point.speed,
      course: point.course, magneticVariation: nil, kind: point.kind)
  }
}

extension GLL {
  /// The GLL of a receiver at this point; status V where `kind` is `invalid`.
  public init(_ point: ReceiverState, talker: Talker) {
    self.init(talker: talker, fix: nil)
    guard point.kind != .invalid else { return }
    fix = Fix(coordinates: point.coordinates, time: point.time, kind: point.kind)
  }
}

extension VTG {
  /// The VTG of a receiver at this point, without a magnetic course; course and speed are empty
  /// where `kind` is `invalid`.
  public init(_ point: ReceiverState, talker: Talker) {
    let isValid = point.kind != .invalid
    // A knot is 1852 metres an hour; split, so that nothing overflows below 4 million knots.
    let (knots, thousandths) = point.speed.quotientAndRemainder(dividingBy: 1_000)
    let metresPerHour = min(knots, 500_000) * 1_852 + (thousandths * 1_852 + 500) / 1_000
    self.init(
      talker: talker, course: isValid ? point.course : nil, magneticCourse: nil,
      speed: isValid ? point.speed : nil, metresPerHour: isValid ? metresPerHour : nil,
      kind: point.kind)
  }
}

extension ZDA {
  /// The ZDA of a receiver at this point, in UTC; time and date are stated without a fix, too.
  public init(_ point: ReceiverState, talker: Talker) {
    self.init(talker: talker, time: point.time, day: point.day, zone: 0)
  }
}

extension GSA {
  /// The satellites are those of `GSV`, at most 12; position and vertical dilution are made up.
  public init(_ point: ReceiverState, talker: Talker) {
    var used = Self.noSatellites
    if point.kind != .invalid {
      for id in 0..<min(point.satellites, 12) { used.append(UInt16(id) + 1) }
    }
    self.init(
      talker: talker, isAutomatic: true, mode: point.mode, satellites: used,
      pdop: UInt16(clamping: UInt32(point.hdop) * 2), hdop: point.hdop,
      vdop: UInt16(clamping: UInt32(point.hdop) * 7 / 4), system: nil)
  }
}

extension GSV {
  /// How many messages show the satellites of `point`.
  public static func messages(of point: ReceiverState) -> UInt8 {
    max(1, (min(point.satellites, 32) + 3) / 4)
  }

  /// Satellites 1 to `point.satellites` (at most 32), evenly round the sky at 45 degrees; `number`
  /// is from 1 to `messages(of:)`.
  public init(_ point: ReceiverState, talker: Talker, number: UInt8) {
    let count = UInt16(min(point.satellites, 32))
    var shown = Self.noSatellites
    let first = UInt16(number - 1) * 4
    for place in first..<max(first, min(first + 4, count)) {
      shown.append(
        SatelliteInView(
          id: place + 1, elevation: 45, azimuth: place * 360 / count, signalStrength: 40))
    }
    self.init(
      talker: talker, messages: Self.messages(of: point), number: number, inView: UInt8(count),
      satellites: shown, signal: nil)
  }
}
