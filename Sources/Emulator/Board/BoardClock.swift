package import FobBase

/// The board's crystal and counter against the host's boot clock: it runs fast or slow, and it may
/// jump, which no firmware asked for.
///
/// The last eight changes are kept, so that a stamp made before a change is still read as the
/// moment that it was made at.
package struct BoardClock: Sendable {
  /// Either way; a crystal is within 100, a worn resonator within thousands.
  static let maxDrift: Int32 = 10_000
  private static let maxSegments = 8

  private struct Segment {
    /// On the host's boot clock.
    var start: Instant
    /// What the board's clock says then.
    var reading: Instant
    /// Parts per million that the board's clock gains.
    var drift: Int64
  }

  private var segments: [Segment]

  /// Starts at zero.
  package init(bootedAt start: Instant, driftPPM: Int32) {
    segments = [
      Segment(start: start, reading: Instant(microseconds: 0), drift: Int64(driftPPM))
    ]
  }

  /// Parts per million that the board's clock gains on the host's.
  var driftPPM: Int32 { Int32(segments[segments.count - 1].drift) }

  /// What the board's clock said at a moment of the host's.
  package func reading(at host: Instant) -> Instant {
    reading(at: host, in: segments.last { $0.start <= host } ?? segments[0])
  }

  /// The moment at which the board made a stamp, at `now` or before. Where a clock that went back
  /// has said the same twice, the later one.
  func hostInstant(ofStamp stamp: Instant, by now: Instant) -> Instant {
    for segment in segments.reversed() where segment.reading <= stamp {
      let host = hostInstant(of: stamp, in: segment)
      if host <= now { return host }
    }
    return min(now, hostInstant(of: stamp, in: segments[0]))
  }

  /// When the board's clock will read `reading`, rounded up, if nothing changes it.
  package func hostInstant(dueAt reading: Instant) -> Instant {
    let segment = segments[segments.count - 1]
    return hostInstant(of: reading, in: segment) + .microseconds(segment.drift == 0 ? 0 : 1)
  }

  mutating func setDrift(_ ppm: Int32, at host: Instant) {
    begin(Segment(start: host, reading: reading(at: host), drift: Int64(ppm)))
  }

  /// Moves the counter; it never goes below zero.
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
