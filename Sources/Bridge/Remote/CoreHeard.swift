import AlertCore
import FobBase
import WireProtocol

/// What a bridge knows of a core on another host, by its stream. Pure.
struct CoreHeard: Sendable {
  /// Without a word for so long, devices are no longer told what once was true.
  static let silentAfter = Interval.seconds(5)

  private var heardAt: Instant?
  private var clock: (core: Int64, at: Instant)?
  private var indication: Indication?
  /// Devices are being told.
  private(set) var isTelling = false

  enum Change: Equatable {
    case nothing
    /// Devices are told this from now on; nil: nothing more.
    case tell(Indication?)
  }

  mutating func heard(_ signal: FeedSignal, at now: Instant) -> Change {
    heardAt = now
    switch signal {
    case .heartbeat(let clock): self.clock = (clock, now)
    case .indicate(let shown): indication = shown.indication
    case .ack: return .nothing
    }
    guard case .indicate = signal else {
      guard !isTelling, let indication else { return .nothing }
      isTelling = true
      return .tell(indication)
    }
    isTelling = indication != nil
    return .tell(indication)
  }

  /// The stream has ended: what it told of the core's clock may be another boot's.
  mutating func streamEnded() { clock = nil }

  mutating func due(at now: Instant) -> Change {
    guard isTelling, let heardAt, now - heardAt >= Self.silentAfter else { return .nothing }
    isTelling = false
    indication = nil
    return .tell(nil)
  }

  var nextWake: Instant? { isTelling ? heardAt.map { $0 + Self.silentAfter } : nil }

  var shown: Indication? { isTelling ? indication : nil }

  func echo(at now: Instant) -> FeedBatch.Echo? {
    clock.map { FeedBatch.Echo(clock: $0.core, held: max(0, (now - $0.at).microseconds)) }
  }
}
