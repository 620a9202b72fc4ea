package import FobBase

/// The board's clock against the host's boot clock. It runs fast or slow, and may jump without the
/// firmware's doing.
///
/// It keeps the last eight changes, so that a stamp made before a change still converts to the
/// right moment.
package struct BoardClock: Sendable {
  /// The largest drift either way, parts per million. A crystal is within 100, a worn resonator
  /// within thousands.
  static let maxDrift: Int32 = 10_000
  private static let maxSegments = 8

  private struct Segment {
    /// When it began, on the host's boot clock.
    var start: Instant
    /// The reading of the board's clock at `start`.
    var reading: Instant
    /// Parts per million that the board's clock gains.
    var drift: Int64
  }

  private var segments: [Segment]

  /// A clock that reads zero at `start`.
  /// - Parameter driftPPM: parts per million that it gains on the host's.
  package init(bootedAt start: Instant, driftPPM: Int32) {
    segments = [
      Segment(start: start, reading: Instant(microseconds: 0), drift: Int64(driftPPM))
    ]
  }

  /// Parts per million that the board's clock gains on the host's.
  var driftPPM: Int32 { Int32(segments[segments.count - 1].drift) }

  /// The reading of the board's clock at an instant of the host's boot clock.
  package func reading(at host: Instant) -> Instant {
    reading(at: host, in: segments.last { $0.start <= host } ?? segments[0])
  }

  /// The host's instant at which the board made a stamp, `now` at the latest. If the clock went
  /// back and gave the same stamp twice, it is the later instant.
  func hostInstant(ofStamp stamp: Instant, by now: Instant) -> Instant {
    for segment in segments.reversed() where segment.reading <= stamp {
      let host = hostInstant(of: stamp, in: segment)
      if host <= now { return host }
    }
    return min(now, hostInstant(of: stamp, in: segments[0]))
  }

  /// The host's instant at which the board's clock will read `reading`, rounded up to a
  /// microsecond, if nothing changes the clock.
  package func hostInstant(dueAt reading: Instant) -> Instant {
    let segment = segments[segments.count - 1]
    return hostInstant(of: reading, in: segment) + .microseconds(segment.drift == 0 ? 0 : 1)
  }

  mutating func setDrift(_ ppm: Int32, at host: Instant) {
    begin(Segment(start: host, reading: reading(at: host), drift: Int64(ppm)))
  }

  /// Moves the board's clock at the host's instant `host`; it never goes below zero.
  package mutating func jump(by interval: Interval, at host: Instant) {
    let reading = max(Instant(microseconds: 0), reading(at: host) + interval)
    begin(Segment(start: host, reading: reading, drift: Int64(driftPPM)))
  }

  private mutating func begin(_ segment: Segment) {
    if segments.count == Self.maxSegments { segments.removeFirst() }
    segments.append(segment)
  }

  private func reading(at host: Instant, in segment: Segment) -> Instant {
    let passed = (host - segment.start).microseconds
    return segment.reading + .microseconds(passed + scaled(passed, segment.drift, 1_000_000))
  }

  private func hostInstant(of reading: Instant, in segment: Segment) -> Instant {
    let passed = (reading - segment.reading).microseconds
    let per = 1_000_000 + segment.drift
    return segment.start + .microseconds(passed + scaled(passed, -segment.drift, per))
  }

  /// `value * part / whole` without overflow, rounded towards zero.
  private func scaled(_ value: Int64, _ part: Int64, _ whole: Int64) -> Int64 {
    value / whole * part + value % whole * part / whole
  }
}
