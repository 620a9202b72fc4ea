package import FobBase
import NMEA

/// One epoch of a receiver: position, motion, time and reception.
struct GPSEpoch {
  /// The metres that one knot makes in an hour.
  private static let nauticalMile = 1_852.0

  var place: Coordinates
  /// Metres a second.
  var speed: Double
  /// Degrees clockwise from north.
  var course: Double
  var reception: Reception
  /// Milliseconds since 1970-01-01 00:00 UTC.
  var utc: Int64

  /// GGA, GSA and RMC, as a GPS-only receiver sends them.
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

/// A generated receiver: it stands or moves, and its reception follows a story.
package struct GeneratedGPS: Sendable {
  private static let week: Int64 = 604_800_000

  private var motion: TrackMotion
  private let story: GPSScript?
  private let loops: Bool
  /// When the story's clock was zero.
  private var storyBegan: Instant
  /// UTC in milliseconds since 1970 at `began`.
  private let utc: Int64
  private let began: Instant
  private var last: Instant

  /// - Parameter utc: microseconds since 1970-01-01 00:00 UTC at `now`.
  package init(
    _ track: GPSTrack, story: GPSScript? = nil, loops: Bool = false, utc: Int64, at now: Instant
  ) {
    motion = TrackMotion(track)
    self.story = story
    self.loops = loops
    self.utc = utc / 1_000
    began = now
    last = now
    storyBegan = now
  }

  var isStory: Bool { story != nil }

  /// The time from one epoch to the next, 0.1 to 1 s.
  package var wait: Interval { .microseconds(1_000_000 / Int64(motion.track.hertz)) }

  mutating func setStoryClock(_ elapsed: Interval, now: Instant) { storyBegan = now - elapsed }

  /// Moves on to `now` and returns the NMEA sentences of that epoch; empty for a silent receiver.
  package mutating func sentences(at now: Instant) -> [UInt8] {
    motion.advance(by: Double((now - last).microseconds) / 1e6)
    last = now
    let reception = story?.reception(at: now - storyBegan, loops: loops) ?? .good
    let utc = utc + (now - began).microseconds / 1_000
    return GPSEpoch(
      place: motion.place, speed: motion.speed, course: motion.course, reception: reception,
      utc: utc - reception.weeksBack * Self.week
    ).sentences
  }
}
