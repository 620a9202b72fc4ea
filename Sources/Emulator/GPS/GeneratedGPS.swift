package import FobBase

/// A receiver that is made up: it stands or moves, and hears as well as its story has it.
package struct GeneratedGPS: Sendable {
  private static let week: Int64 = 604_800_000

  private var motion: TrackMotion
  private let story: GPSScript?
  private let loops: Bool
  /// Where the story's clock is zero.
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

  package var wait: Interval { .microseconds(1_000_000 / Int64(motion.track.hertz)) }

  mutating func setStoryClock(_ elapsed: Interval, now: Instant) { storyBegan = now - elapsed }

  /// The sentences of the epoch at `now`.
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
