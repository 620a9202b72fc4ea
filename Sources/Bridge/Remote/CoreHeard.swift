import AlertCore
import FobBase
import WireProtocol

/// What a bridge knows of a core on another host, by its stream. Pure.
struct CoreHeard: Sendable {
  /// Without a word for so long, devices are no longer told what once was true.
  static let silentAfter = Interval.seconds(5)

  private var heardAt: Instant?
  private var clock: (core: Int64, at: Instant)?
  /// By line, as this stream said last.
  private var indications: [Int: Indication] = [:]
  /// Devices are being told.
  private var isTelling = false

  enum Change: Equatable {
    case nothing
    /// Devices are told this from now on, by line; nil: nothing.
    case tell([Int: Indication?])
    /// Devices are told nothing more.
    case withhold
  }

  mutating func heard(_ signal: FeedSignal, at now: Instant) -> Change {
    heardAt = now
    var told: [Int: Indication?] = isTelling ? [:] : indications
    switch signal {
    case .heartbeat(let clock): self.clock = (clock, now)
    case .indicate(let shown):
      // A state that this version does not know is not guessed at: its lease runs out.
      indications[shown.line] = shown.indication
      told.updateValue(shown.indication, forKey: shown.line)
    case .ack: break
    }
    if !told.isEmpty { isTelling = true }
    return told.isEmpty ? .nothing : .tell(told)
  }

  /// The stream has ended. What it told may be another run's, and its clock another boot's; what
  /// devices show stands until the core was silent for too long.
  mutating func streamEnded() {
    clock = nil
    indications = [:]
  }

  mutating func due(at now: Instant) -> Change {
    guard isTelling, let heardAt, now - heardAt >= Self.silentAfter else { return .nothing }
    isTelling = false
    return .withhold
  }

  var nextWake: Instant? { isTelling ? heardAt.map { $0 + Self.silentAfter } : nil }

  func shown(on line: Int) -> Indication? { isTelling ? indications[line] : nil }

  func echo(at now: Instant) -> FeedBatch.Echo? {
    clock.map { FeedBatch.Echo(clock: $0.core, held: max(0, (now - $0.at).microseconds)) }
  }
}
