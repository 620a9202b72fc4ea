package import FobBase
package import WireProtocol

/// What a bridge knows of a core on another host, by its stream.
package struct CoreHeard: Sendable {
  /// Without a word for so long, devices are no longer told what once was true.
  static let silentAfter = Interval.seconds(5)
  /// A stream that says nothing for so long is given up: it has a heartbeat each 2 s.
  package static let streamSilentAfter = Interval.seconds(6)
  package static let reconnectAfter = Interval.seconds(1)

  private var heardAt: Instant?
  private var clock: (core: Int64, at: Instant)?
  /// By line, as this stream said last.
  private var indications: [Int: Indication] = [:]
  /// Devices are being told.
  private var isTelling = false

  package enum Change: Equatable {
    case nothing
    /// Devices are told this from now on, by line; nil: nothing.
    case tell([Int: Indication?])
    /// Devices are told nothing more.
    case withhold
  }

  package init() {}

  package mutating func heard(_ signal: FeedSignal, at now: Instant) -> Change {
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
  package mutating func streamEnded() {
    clock = nil
    indications = [:]
  }

  package mutating func due(at now: Instant) -> Change {
    guard isTelling, let heardAt, now - heardAt >= Self.silentAfter else { return .nothing }
    isTelling = false
    return .withhold
  }

  package var nextWake: Instant? { isTelling ? heardAt.map { $0 + Self.silentAfter } : nil }

  package func shown(on line: Int) -> Indication? { isTelling ? indications[line] : nil }

  package func echo(at now: Instant) -> FeedEcho? {
    clock.map { FeedEcho(clock: $0.core, held: max(0, (now - $0.at).microseconds)) }
  }
}
