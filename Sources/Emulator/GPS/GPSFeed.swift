import FobBase
import Glibc
import NMEA
import SerialIO

/// The bytes of a ``GPSSource`` as they become due.
struct GPSFeed {
  /// When the feed is late by more than this, it goes on from now, without the missed epochs.
  private static let patience = Interval.seconds(1)

  private enum Kind {
    case silent
    case recording(NMEARecording)
    case generated(GeneratedGPS)
    case pipe(GPSPipe)
  }

  let source: GPSSource
  private var kind: Kind
  private var pending: ArraySlice<UInt8> = []
  private var epochDue: Instant?

  /// - Parameter utc: microseconds since 1970-01-01 00:00 UTC at `now`.
  /// - Throws: `IOFailure` for a file that cannot be read and a place that is not on the globe.
  init(
    _ source: GPSSource, at now: Instant, utc: Int64 = WallClock.now()
  ) throws(IOFailure) {
    self.source = source
    switch source {
    case .none: kind = .silent
    case .file(let path, let loop):
      kind = .recording(NMEARecording(try NMEARecording.bytes(of: path), loops: loop))
    case .stationary(let latitude, let longitude):
      let track = try Self.standing(latitude, longitude)
      kind = .generated(GeneratedGPS(track, utc: utc, at: now))
    case .track(let track): kind = .generated(GeneratedGPS(track, utc: utc, at: now))
    case .pipe(let path): kind = .pipe(try GPSPipe(path))
    case .story(let story, let place, let loop):
      let track = try Self.standing(place.latitude, place.longitude)
      kind = .generated(GeneratedGPS(track, story: story, loops: loop, utc: utc, at: now))
    }
    switch kind {
    case .recording, .generated: epochDue = now
    case .silent, .pipe: break
    }
  }

  var isPresent: Bool {
    if case .silent = kind { false } else { true }
  }

  /// The descriptor to poll for bytes of a pipe, or -1.
  var descriptor: Int32 {
    if case .pipe(let pipe) = kind { pipe.descriptor } else { -1 }
  }

  /// When to call ``advance(to:)`` next; nil when nothing comes by itself.
  var nextDue: Instant? {
    if case .pipe(let pipe) = kind { pipe.nextDue } else { epochDue }
  }

  /// Adds the bytes that are due behind those that the board has not read.
  mutating func advance(to now: Instant) {
    if case .pipe(let pipe) = kind { pipe.read(into: &pending, at: now) }
    while let due = epochDue, due <= now {
      let isLate = now - due > Self.patience
      let (epoch, wait) = nextEpoch(at: isLate ? now : due)
      pending += epoch
      epochDue = wait.map { isLate ? now + $0 : due + $0 }
    }
  }

  mutating func nextByte() -> UInt8? { pending.popFirst() }

  /// Drops all unread bytes: the board has no power.
  mutating func drop() {
    pending = []
    if case .pipe(let pipe) = kind { pipe.discard() }
  }

  /// Sets the story's clock; false if the source is no story.
  mutating func setStoryClock(_ elapsed: Interval, now: Instant) -> Bool {
    guard case .generated(var gps) = kind, gps.isStory else { return false }
    gps.setStoryClock(elapsed, now: now)
    kind = .generated(gps)
    return true
  }

  private mutating func nextEpoch(
    at instant: Instant
  ) -> (bytes: ArraySlice<UInt8>, wait: Interval?) {
    switch kind {
    case .silent, .pipe: return ([], nil)
    case .generated(var gps):
      defer { kind = .generated(gps) }
      return (gps.sentences(at: instant)[...], gps.wait)
    case .recording(var recording):
      defer { kind = .recording(recording) }
      return recording.next()
    }
  }

  private static func standing(
    _ latitude: Int32, _ longitude: Int32
  ) throws(IOFailure) -> GPSTrack {
    guard let place = Coordinates(latitude: latitude, longitude: longitude) else {
      throw IOFailure(
        "place", errno: EINVAL, path: "the GPS receiver",
        reason: "\(latitude), \(longitude) in 1e-7 degree is not on the globe")
    }
    return GPSTrack(.heading(from: place, course: 0, turn: 0), speed: 0)
  }
}
