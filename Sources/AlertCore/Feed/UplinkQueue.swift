package import FobBase
import WireProtocol

/// The inputs of one keychain's line that wait to be posted to a core on another host. One batch is
/// under way at a time. If its post fails its events are dropped, since the keychain keeps them and
/// sends them again; the next batch gives the link's state again.
package struct UplinkQueue: Sendable {
  private enum Waiting: Sendable {
    case event(EventRecord, happenedAt: ClosedRange<Int64>?)
    case barePress(EventIdentity)
    case sealed(EventRecord, RelayedFrame, happenedAt: ClosedRange<Int64>?)

    var isSealed: Bool { if case .sealed = self { true } else { false } }

    var identity: EventIdentity {
      switch self {
      case .sealed(let record, _, _): record.identity
      case .event(let record, _): record.identity
      case .barePress(let identity): identity
      }
    }
  }

  /// More than a keychain can have unacked.
  static let maxEvents = 128
  static let retryAfter = Interval.seconds(1)
  /// When a post is given up; a core that lives answers within a quarter of a second.
  package static let answerWithin = Interval.seconds(5)

  private let line: Int
  private var hello: Hello?
  /// Why the link was down since the last batch that the core took.
  private var down: String?
  /// Why the line cannot be opened.
  private var trouble: String?
  private var isLinkSaid = true
  private var events: [Waiting] = []
  private var heartbeat: Heartbeat?
  private var position: PositionFix?
  /// The newest of each that the keychain has sealed, beside those that anybody may have made.
  private var sealedHeartbeat: RelayedFrame?
  private var sealedPosition: RelayedFrame?
  private var proof: RelayedFrame?
  /// Whether the core reads sealed frames; one of an earlier version refuses them. Nil before its
  /// first answer: sealed events wait for that.
  private var isSealRead: Bool?
  private var sequence: Int64 = 0
  /// Frames of the keychain were missed: the next batch skips a number to say so.
  private var hasMissed = false
  private var saying: (hello: Hello?, down: String?, trouble: String?)?
  private var retryAt: Instant?

  /// - Parameter line: which of the bridge's, from 0.
  package init(line: Int) { self.line = line }

  /// Takes an input of the line.
  /// - Returns: false when there is no room for an event: the keychain sends it again.
  package mutating func take(_ input: CoreInput) -> Bool {
    switch input {
    case .linkUp(_, let hello):
      self.hello = hello
      trouble = nil
      isLinkSaid = false
    case .linkDown(_, let reason):
      hello = nil
      down = Self.short(reason)
      isLinkSaid = false
    case .event(_, let record, let happenedAt):
      return take(.event(record, happenedAt: happenedAt))
    // A bridge holds no key, so it never says the second.
    case .barePress(_, let identity), .unprovedPress(_, let identity):
      return take(.barePress(identity))
    case .missed: hasMissed = true
    case .heartbeat(_, let beat): heartbeat = beat
    case .position(_, let fix): position = fix
    case .unavailable(_, let reason):
      guard trouble != Self.short(reason) else { return true }
      trouble = Self.short(reason)
      isLinkSaid = false
    case .committed, .commitFailed, .answered, .userCommand, .pinRefused, .ways, .zoneTable,
      .clockFit, .paired, .keyTrouble, .pairing, .proof, .movedHere, .movedAway, .heardElsewhere,
      .damage, .refreshed, .clockMoved, .wake:
      break
    }
    return true
  }

  /// Takes a frame for the core to judge.
  /// - Returns: false when there is no room for an event: the keychain sends it again.
  package mutating func take(_ relayed: HostOutput.Relayed) -> Bool {
    let frame = relayed.frame
    switch frame.type {
    case .event:
      guard let record = frame.read(EventRecord.self) else { return true }
      // The newest copy takes the place of an earlier one: only one of them may be the keychain's.
      events.removeAll { $0.isSealed && $0.identity == record.identity }
      return add(.sealed(record, frame, happenedAt: relayed.happenedAt))
    case .heartbeat: sealedHeartbeat = frame
    case .gpsFix: sealedPosition = frame
    case .proof: proof = frame
    default: break
    }
    return true
  }

  private mutating func take(_ event: Waiting) -> Bool {
    let isKnown = events.contains { $0.identity == event.identity && !$0.isSealed }
    return isKnown || add(event)
  }

  private mutating func add(_ event: Waiting) -> Bool {
    guard events.count < Self.maxEvents else { return false }
    events.append(event)
    return true
  }

  /// The next batch; nil while one is under way or there is nothing to say. A new event does not
  /// wait for the retry after a failure.
  package mutating func next(
    bridge: String, echo: FeedEcho?, at now: Instant
  ) -> CheckedFeed? {
    let isDue = retryAt.map { now >= $0 } ?? true
    let readings = readings
    guard saying == nil, !events.isEmpty || isDue,
      !events.isEmpty || !isLinkSaid || !readings.isEmpty
    else { return nil }
    sequence += hasMissed ? 2 : 1
    hasMissed = false
    retryAt = nil
    saying = (hello, down, trouble)
    defer {
      events = isSealRead == nil ? events.filter(\.isSealed) : []
      heartbeat = nil
      position = nil
      sealedHeartbeat = nil
      sealedPosition = nil
      proof = nil
    }
    let said = isSealRead == nil ? events.filter { !$0.isSealed } : events
    let inputs = said.map { input($0, at: now) } + readings
    return CheckedFeed(
      bridge: bridge, line: line, sequence: sequence, echo: echo, down: down, trouble: trouble,
      hello: hello, inputs: inputs)
  }

  /// What is said once, the newest of each: the proof first, since it opens the session of others.
  private var readings: [CheckedFeed.Input] {
    var inputs: [CheckedFeed.Input] = []
    if let heartbeat { inputs.append(.heartbeat(heartbeat)) }
    if let position { inputs.append(.position(position)) }
    guard isSealRead == true else {
      if let beat = sealedHeartbeat?.read(Heartbeat.self) { inputs.append(.heartbeat(beat)) }
      if let fix = sealedPosition?.read(PositionFix.self) { inputs.append(.position(fix)) }
      return inputs
    }
    return inputs
      + [proof, sealedHeartbeat, sealedPosition].compactMap { frame in
        frame.map { .relayed($0, age: nil) }
      }
  }

  /// A reason cut to fit into a batch, at four bytes a letter.
  private static func short(_ reason: String) -> String {
    String(String.UnicodeScalarView(reason.unicodeScalars.prefix(CheckedFeed.maxReasonSize / 4)))
  }

  private func input(_ event: Waiting, at now: Instant) -> CheckedFeed.Input {
    switch event {
    case .event(let record, let happenedAt):
      .event(record, age: happenedAt.flatMap { Self.age(of: $0, at: now) })
    case .sealed(let record, let frame, let happenedAt):
      isSealRead == true
        ? .relayed(frame, age: happenedAt.flatMap { Self.age(of: $0, at: now) })
        : input(.event(record, happenedAt: happenedAt), at: now)
    case .barePress(let identity): .barePress(identity)
    }
  }

  /// Nil where a clock is so wrong that the age is beyond a batch's bounds.
  private static func age(
    of happened: ClosedRange<Int64>, at now: Instant
  ) -> ClosedRange<Int64>? {
    let bounds = -CheckedFeed.oldest...CheckedFeed.oldest
    let (least, isTooLate) = now.microseconds.subtractingReportingOverflow(happened.upperBound)
    let (most, isTooEarly) = now.microseconds.subtractingReportingOverflow(happened.lowerBound)
    guard !isTooLate, !isTooEarly, bounds.contains(least), bounds.contains(most) else {
      return nil
    }
    return least...most
  }

  /// The batch under way was answered.
  /// - Parameter isSealRead: whether the core says that it reads sealed frames.
  /// - Returns: whether the answer is to the keychain that is there now.
  @discardableResult
  package mutating func succeeded(isSealRead: Bool = false) -> Bool {
    self.isSealRead = isSealRead
    guard let said = saying else { return false }
    saying = nil
    if said.down == down { down = nil }
    isLinkSaid = said.hello == hello && down == nil && said.trouble == trouble
    return said.hello == hello
  }

  /// The post has failed, or nobody answered: the next batch says the state of the link again.
  /// - Parameters:
  ///   - isRefused: whether a core has answered and does not take it: it may be of an earlier
  ///     version, which gets no sealed frames.
  ///   - now: the bridge's boot clock.
  package mutating func failed(isRefused: Bool = false, at now: Instant) {
    saying = nil
    isLinkSaid = false
    if isRefused { isSealRead = false }
    retryAt = now + Self.retryAfter
  }

  /// When `next` is to be called even if nothing new has come.
  package var nextWake: Instant? { saying == nil && !isLinkSaid ? retryAt : nil }
}
