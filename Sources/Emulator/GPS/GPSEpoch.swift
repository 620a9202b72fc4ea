import FobBase
import NMEA

/// What a receiver says of one moment.
struct GPSEpoch {
  /// An hour's path in metres of one knot.
  private static let nauticalMile = 1_852.0

  var place: Coordinates
  /// Metres a second.
  var speed: Double
  /// Degrees clockwise from north.
  var course: Double
  var reception: Reception
  /// Milliseconds since 1970-01-01 00:00 UTC.
  var utc: Int64

  /// GGA, GSA and RMC of a receiver of GPS alone.
  var sentences: [UInt8] {
    guard reception.mode != .silent, let point else { return [] }
    var writer = SentenceWriter()
    var bytes: [UInt8] = []
    let talker = Talker.gps
    let sentences: [Sentence] = [
      .gga(GGA(point, talker: talker)), .gsa(GSA(point, talker: talker)),
      .rmc(RMC(point, talker: talker)),
    ]
    for sentence in sentences {
      writer.write(sentence)
      writer.withBytes { span in span.withUnsafeBufferPointer { bytes += $0 } }
    }
    return bytes
  }

  private var point: ReceiverState? {
    let coordinates = Coordinates(latitude: place.latitude, longitude: place.longitude)
    guard let coordinates else { return nil }
    var point = ReceiverState(coordinates, utc: UInt32(clamping: utc / 1_000))
    point.time += UInt32(max(0, utc) % 1_000)
    point.speed = UInt32((speed * 3_600_000 / Self.nauticalMile).rounded())
    point.course = UInt32((course * 100).rounded()) % 36_000
    point.satellites = reception.satellites
    point.hdop = reception.hdop
    point.kind = reception.mode == .none ? .invalid : .autonomous
    return point
  }
}
