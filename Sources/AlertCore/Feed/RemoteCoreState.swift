package import FobBase
package import WireProtocol

/// What a bridge knows of a core on another host, by its stream.
package struct RemoteCoreState: Sendable {
  /// Without a word for so long, devices are no longer told what once was true.
  static let silentAfter = Interval.seconds(5)
  /// A stream that says nothing for so long is given up: it has a heartbeat each 2 s.
  package static let streamSilentAfter = Interval.seconds(6)
  /// From the end of a stream to the next try.
  package static let reconnectAfter = Interval.seconds(1)

  private var heardAt: Instant?
  private var clock: (core: Int64, at: Instant)?
  /// By line, as this stream said last.
  private var indications: [Int: Indication] = [:]
  /// Devices are being told.
  private var isTelling = false
  /// Lines that show what a stream told that has ended, and until when.
  private var earlier: [Int: Instant] = [:]

  /// What follows for the bridge's keychains.
  package enum Change: Equatable {
    case nothing
    /// Devices are told this from now on, by line; nil: nothing.
    case tell([Int: Indication?])
    /// Devices are told nothing more.
    case withhold
  }

  /// Nothing was heard yet, so keychains are told nothing.
  package init() {}

  /// Takes one event of the stream.
  package mutating func heard(_ signal: FeedSignal, at now: Instant) -> Change {
    heardAt = now
    var told: [Int: Indication?] = isTelling ? [:] : indications
    switch signal {
    case .heartbeat(let clock): self.clock = (clock, now)
    case .indicate(let shown):
      // A state that this version does not know is not guessed at: its lease runs out.
      indications[shown.line] = shown.indication
      earlier[shown.line] = nil
      told.updateValue(shown.indication, forKey: shown.line)
    case .ack: break
    }
    if !told.isEmpty { isTelling = true }
    return told.isEmpty ? .nothing : .tell(told)
  }

  /// The stream has ended. What it told may be another run's, and its clock another boot's; what
  /// devices show stands until it would have been silent for too long, whatever the next one says
  /// to others.
  package mutating func streamEnded() {
    clock = nil
    if isTelling, let heardAt {
      for line in indications.keys { earlier[line] = heardAt + Self.silentAfter }
    }
    indications = [:]
  }

  /// What time alone changes; to be called at `nextWake`.
  package mutating func due(at now: Instant) -> Change {
    guard isTelling, let heardAt else { return .nothing }
    if now - heardAt >= Self.silentAfter {
      isTelling = false
      earlier = [:]
      return .withhold
    }
    let over = earlier.filter { $0.value <= now }
    for line in over.keys { earlier[line] = nil }
    return over.isEmpty ? .nothing : .tell(over.mapValues { _ in nil })
  }

  /// Nil while keychains are told nothing.
  package var nextWake: Instant? {
    guard isTelling else { return nil }
    return .earlier(heardAt.map { $0 + Self.silentAfter }, earlier.values.min())
  }

  /// What a line's keychain is to show; nil: nothing is known, and its lease runs out.
  package func shown(on line: Int) -> Indication? { isTelling ? indications[line] : nil }

  /// The core's clock for the next batch; nil: this stream has not told it yet.
  package func echo(at now: Instant) -> FeedEcho? {
    clock.map { FeedEcho(clock: $0.core, held: max(0, (now - $0.at).microseconds)) }
  }
}
