package import FobBase
import WireProtocol

/// The inputs of one keychain's line that wait to be posted to a core on another host. One batch is
/// under way at a time. If its post fails its events are dropped, since the keychain keeps them and
/// sends them again; the next batch gives the link's state again.
package struct UplinkQueue: Sendable {
  private enum Waiting: Sendable {
    case event(EventRecord, happenedAt: ClosedRange<Int64>?)
    case barePress(EventIdentity)

    var identity: EventIdentity {
      switch self {
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
      .clockFit, .paired, .pairing, .proof, .damage, .refreshed, .clockMoved, .wake:
      break
    }
    return true
  }

  private mutating func take(_ event: Waiting) -> Bool {
    guard !events.contains(where: { $0.identity == event.identity }) else { return true }
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
    guard saying == nil, !events.isEmpty || isDue,
      !events.isEmpty || !isLinkSaid || heartbeat != nil || position != nil
    else { return nil }
    sequence += hasMissed ? 2 : 1
    hasMissed = false
    retryAt = nil
    saying = (hello, down, trouble)
    defer {
      events = []
      heartbeat = nil
      position = nil
    }
    var inputs = events.map { Self.input($0, at: now) }
    if let heartbeat { inputs.append(.heartbeat(heartbeat)) }
    if let position { inputs.append(.position(position)) }
    return CheckedFeed(
      bridge: bridge, line: line, sequence: sequence, echo: echo, down: down, trouble: trouble,
      hello: hello, inputs: inputs)
  }

  /// A reason cut to fit into a batch, at four bytes a letter.
  private static func short(_ reason: String) -> String {
    String(String.UnicodeScalarView(reason.unicodeScalars.prefix(CheckedFeed.maxReasonSize / 4)))
  }

  private static func input(_ event: Waiting, at now: Instant) -> CheckedFeed.Input {
    switch event {
    case .event(let record, let happenedAt):
      .event(record, age: happenedAt.flatMap { age(of: $0, at: now) })
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
  package mutating func succeeded() {
    guard let said = saying else { return }
    saying = nil
    if said.down == down { down = nil }
    isLinkSaid = said.hello == hello && down == nil && said.trouble == trouble
  }

  /// The post has failed, or nobody answered: the next batch says the state of the link again.
  package mutating func failed(at now: Instant) {
    saying = nil
    isLinkSaid = false
    retryAt = now + Self.retryAfter
  }

  /// When `next` is to be called even if nothing new has come.
  package var nextWake: Instant? { saying == nil && !isLinkSaid ? retryAt : nil }
}
