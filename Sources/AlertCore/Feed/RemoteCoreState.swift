package import FobBase
package import WireProtocol

/// What a bridge knows of a core on another host, from its stream.
package struct RemoteCoreState: Sendable {
  /// After so long without a signal, devices are told nothing more.
  static let silentAfter = Interval.seconds(5)
  /// A stream without a signal for so long is closed; it has a heartbeat each 2 s.
  package static let streamSilentAfter = Interval.seconds(6)
  /// From the end of a stream to the next try.
  package static let reconnectAfter = Interval.seconds(1)

  private var heardAt: Instant?
  private var clock: (core: Int64, at: Instant)?
  /// The last indication of this stream, by line.
  private var indications: [Int: Indication] = [:]
  /// Devices are told what the core says.
  private var isTelling = false
  /// Lines that show what an ended stream or an answer has said, and until when.
  private var earlier: [Int: Instant] = [:]

  /// The change for the bridge's keychains.
  package enum Change: Equatable {
    case nothing
    /// Devices are told this from now on, by line; nil: nothing is known for that line.
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
      guard (0..<Limits.devices).contains(shown.line) else { break }
      // An unknown state is not guessed: the lease of what is shown runs out.
      indications[shown.line] = shown.indication
      earlier[shown.line] = nil
      told.updateValue(shown.indication, forKey: shown.line)
    case .frame(let line, let frame):
      // The core itself says what a keychain in a sealed session shows, and that believes no other.
      guard frame.isSealed else { break }
      let isShown = indications.removeValue(forKey: line) != nil
      if earlier.removeValue(forKey: line) != nil || isShown {
        told.updateValue(nil, forKey: line)
      }
    case .ack: break
    }
    if !told.isEmpty { isTelling = true }
    return told.isEmpty ? .nothing : .tell(told)
  }

  /// Takes what the answer to a batch says that a line shows. It counts until a stream is open: an
  /// answer may come late, and a stream is in order. Without it a keychain whose press was acked
  /// would show what a core before has said.
  package mutating func answered(_ shown: FeedSignal.Shown, at now: Instant) -> Change {
    guard clock == nil, let indication = shown.indication else { return .nothing }
    heardAt = now
    isTelling = true
    earlier[shown.line] = now + Self.silentAfter
    return .tell([shown.line: indication])
  }

  /// The stream has ended. The next one may be of another run, and its clock of another boot. What
  /// devices show stands until the old stream would have been silent for too long, unless the new
  /// one says otherwise for that line.
  package mutating func streamEnded() {
    clock = nil
    if isTelling, let heardAt {
      for line in indications.keys { earlier[line] = heardAt + Self.silentAfter }
    }
    indications = [:]
  }

  /// Does what is due by the clock; to be called at `nextWake`.
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

  /// The indication for a line's keychain; nil: nothing is known, and its lease runs out.
  package func shown(on line: Int) -> Indication? { isTelling ? indications[line] : nil }

  /// The core's clock for the next batch; nil: this stream has not told it yet.
  package func echo(at now: Instant) -> FeedEcho? {
    clock.map { FeedEcho(clock: $0.core, held: max(0, (now - $0.at).microseconds)) }
  }
}
