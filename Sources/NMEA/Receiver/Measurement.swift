/// What GGA and GNS say alike: a place, and how well it is known.
struct Measurement {
  let talker: Talker
  /// Nil when the receiver says that it has no fix.
  let fix: Fix?

  struct Fix {
    let quality: GPSQuality
    let coordinates: Coordinates
    let time: UInt32?
    let altitude: Int32?
    let accuracy: UInt16
    let satellites: UInt8
  }

  init(_ gga: GGA) {
    talker = gga.talker
    fix = gga.fix.map {
      Fix(
        kind: $0.kind, coordinates: $0.coordinates, time: $0.time, altitude: $0.altitude,
        hdop: $0.hdop, satellites: $0.satellites)
    }
  }

  init(_ gns: GNS) {
    talker = gns.talker
    fix = gns.fix.map {
      Fix(
        kind: $0.kind, coordinates: $0.coordinates, time: $0.time, altitude: $0.altitude,
        hdop: $0.hdop, satellites: $0.satellites)
    }
  }

  var quality: GPSQuality { fix?.quality ?? .none }
  var satellites: UInt8 { fix?.satellites ?? 0 }
}

extension Measurement.Fix {
  fileprivate init(
    kind: FixKind, coordinates: Coordinates, time: UInt32?, altitude: Int32?, hdop: UInt16?,
    satellites: UInt8?
  ) {
    self.coordinates = coordinates
    self.time = time
    self.altitude = altitude
    self.satellites = satellites ?? 0
    quality = GPSQuality(isMeasured: kind.isMeasured, hdop: hdop, satellites: satellites ?? 0)
    accuracy = kind.isMeasured ? GPSFix.accuracy(hdop: hdop) : GPSFix.unknownAccuracy
  }
}
