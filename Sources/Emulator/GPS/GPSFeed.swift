import FobBase
import SerialIO

/// The bytes of a ``GPSSource`` as they become due.
struct GPSFeed {
  /// Behind by more than this, it goes on from now: nobody wants the epochs that a board without
  /// power has missed.
  private static let patience = Interval.seconds(1)

  private enum Kind {
    case silent
    case recording(NMEARecording)
    case stationary(StationaryGPS)
  }

  private var kind: Kind
  private var pending: ArraySlice<UInt8> = []
  /// When the next epoch is released; nil when there is none.
  private(set) var nextDue: Instant?

  /// - Throws: `IOFailure` for a file that cannot be read and a place that is not on the globe.
  init(_ source: GPSSource, at now: Instant) throws(IOFailure) {
    switch source {
    case .none: kind = .silent
    case .file(let path, let loop):
      kind = .recording(NMEARecording(try NMEARecording.bytes(of: path), loops: loop))
    case .stationary(let latitude, let longitude):
      kind = .stationary(try StationaryGPS(latitude: latitude, longitude: longitude))
    }
    if case .silent = kind { return }
    nextDue = now
  }

  /// Sends what is due. What the board did not read before is gone, as from a UART.
  mutating func advance(to now: Instant) {
    while let due = nextDue, due <= now {
      let (epoch, wait) = nextEpoch()
      pending += epoch
      nextDue = wait.map { now - due > Self.patience ? now + $0 : due + $0 }
    }
  }

  mutating func nextByte() -> UInt8? { pending.popFirst() }

  /// Nobody is there to hear it.
  mutating func drop() { pending = [] }

  private mutating func nextEpoch() -> (bytes: ArraySlice<UInt8>, wait: Interval?) {
    switch kind {
    case .silent: return ([], nil)
    case .stationary(let gps):
      return (gps.sentences(atUTC: WallClock.now() / 1_000_000)[...], .seconds(1))
    case .recording(var recording):
      defer { kind = .recording(recording) }
      return recording.next()
    }
  }
}
